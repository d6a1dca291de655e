import type { Effect } from "effect"
import { Context } from "effect"
import type { AuditChain, AuditContent, AuditEntry } from "../../domain/operations/audit/AuditEntry.ts"
import type { ApplicationId, OrganizationId, UserId } from "../../domain/Ids.ts"

/** A change that has begun: its entry follows when it has ended. */
export interface BegunChange {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly content: AuditContent
}

/** Which entries are wanted; null: whatever it is. Instants are epoch ms, `to` excluded. */
export interface AuditFilter {
  readonly userId: UserId | null
  readonly operation: string | null
  readonly kind: string | null
  readonly objectId: string | null
  readonly applicationId: ApplicationId | null
  readonly from: number | null
  readonly to: number | null
}

/** The log of changes of each organization. Entries are appended, and removed from the oldest on; nothing changes one. */
export class AuditRepo extends Context.Tag("ports/operations/AuditRepo")<
  AuditRepo,
  {
    /** Notes that a change begins, so that it is known after a kill. */
    readonly begin: (change: BegunChange) => Effect.Effect<void>
    /** Forgets a change that was refused. */
    readonly discard: (id: string) => Effect.Effect<void>
    /**
     * Appends the entry of a change that has begun, and forgets that it has. Does nothing where it has its entry already, because it took
     * so long that it was taken for cut off, or where the organization is gone.
     */
    readonly append: (change: BegunChange, hash: (text: string) => string) => Effect.Effect<void>
    /** Changes that began before the instant (epoch ms) and have not ended, the longest ago first; at most 1,000. */
    readonly unfinished: (before: number) => Effect.Effect<ReadonlyArray<BegunChange>>
    /** Entries below the number that pass the filter, newest first; null: from the newest on. */
    readonly list: (
      organizationId: OrganizationId,
      filter: AuditFilter,
      below: number | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<AuditEntry>>
    /** Entries from the number on, ascending. */
    readonly from: (
      organizationId: OrganizationId,
      number: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<AuditEntry>>
    /** `noChain` for an organization without entries. */
    readonly chain: (organizationId: OrganizationId) => Effect.Effect<AuditChain>
    /** Removes at most 1,000 entries of each organization that are older than the instant (epoch ms), from the oldest on; the chain says so. */
    readonly expire: (before: number) => Effect.Effect<void>
  }
>() {}
