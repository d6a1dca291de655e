import type { DateTime } from "effect"
import { Schema } from "effect"
import type { Document } from "../configuration/Document.ts"
import type { ApplicationId, DeeplinkId } from "../Ids.ts"
import { hourMillis } from "../Durations.ts"

export const DeeplinkType = Schema.Literal("web_url", "roblox_url", "roblox_share_url", "other")
export type DeeplinkType = typeof DeeplinkType.Type

export interface Deeplink {
  readonly id: DeeplinkId
  readonly applicationId: ApplicationId
  readonly name: string
  /** Unique on the server, because the address of a click names no project. */
  readonly slug: string
  readonly type: DeeplinkType
  readonly redirectUrl: string
  readonly metadata: Document
  /** The marker type that counts as a conversion. */
  readonly conversionMarker: string
  readonly attributionWindowHours: number
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
  /** An archived deeplink keeps its numbers but redirects nowhere. */
  readonly archivedAt: DateTime.Utc | null
}

/** Until when a click may convert, in epoch milliseconds, inclusive. */
export const attributionEnd = ({ attributionWindowHours }: Deeplink, clickedAt: number): number =>
  clickedAt + attributionWindowHours * hourMillis
