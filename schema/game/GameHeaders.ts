import { Schema } from "effect"
import { ApplicationId } from "../../src/domain/Ids.ts"
import { optional } from "../Optional.ts"
import { numeric } from "../Parameters.ts"
import { text } from "../Text.ts"

/** Which environment a game means: its alias, or whether it runs in the studio. `project-id` is for keys of several projects. */
export const GameHeaders = Schema.Struct({
  environment: optional(text(0, 64)),
  isstudio: optional(text(0, 16)),
  "project-id": optional(numeric(ApplicationId))
})
export type GameHeaders = typeof GameHeaders.Type

/** What polls send besides: the hash they know, quoted or not, and the server they run in. */
export const PollHeaders = Schema.Struct({
  ...GameHeaders.fields,
  "if-none-match": optional(text(0, 256)),
  "server-id": optional(text(0, 128))
})
export type PollHeaders = typeof PollHeaders.Type

/** The hash that the caller knows; an unchanged answer is then 304. */
export const KnownHash = Schema.Struct({ hash: optional(text(0, 256)) })
export type KnownHash = typeof KnownHash.Type

/** Game servers of the older generation name themselves by these. */
export const LegacyHeaders = Schema.Struct({
  ...GameHeaders.fields,
  serverid: optional(text(0, 128)),
  universeid: optional(text(0, 64)),
  sdkversion: optional(text(0, 64))
})
export type LegacyHeaders = typeof LegacyHeaders.Type
