import { Schema } from "effect"
import { ApplicationId, EnvironmentId, type OrganizationId, UserId } from "../../Ids.ts"

/** Who made a change: a person, with a token or without, an organization's key, or the server itself. Never a secret. */
export const AuditActor = Schema.Struct({
  kind: Schema.Literal("session", "personal", "secret", "public", "system"),
  userId: Schema.NullOr(UserId),
  email: Schema.NullOr(Schema.String),
  keyId: Schema.NullOr(Schema.Int),
  keyName: Schema.NullOr(Schema.String)
})
export type AuditActor = typeof AuditActor.Type

/** A value that a change set, replaced or removed, as JSON text; null where there was none before, or is none any more. */
export const AuditChange = Schema.Struct({
  path: Schema.String,
  before: Schema.NullOr(Schema.String),
  after: Schema.NullOr(Schema.String)
})
export type AuditChange = typeof AuditChange.Type

export const AuditOutcome = Schema.Literal("done", "unknown")
export type AuditOutcome = typeof AuditOutcome.Type

/** What the log tells of a change. `at` is in epoch ms. */
export const AuditContent = Schema.Struct({
  at: Schema.Int,
  actor: AuditActor,
  address: Schema.NullOr(Schema.String),
  requestId: Schema.String,
  /** Group and name of the endpoint, such as `configurations.update`. */
  operation: Schema.String,
  object: Schema.Struct({
    kind: Schema.String,
    id: Schema.NullOr(Schema.String),
    name: Schema.NullOr(Schema.String)
  }),
  applicationId: Schema.NullOr(ApplicationId),
  environmentId: Schema.NullOr(EnvironmentId),
  reason: Schema.NullOr(Schema.String),
  outcome: AuditOutcome,
  changes: Schema.Array(AuditChange),
  /** Changes that the entry leaves out, because they were too many. */
  moreChanges: Schema.Int
})
export type AuditContent = typeof AuditContent.Type

/** An entry of the log of an organization, numbered from 1. `text` is the content as it was written, which the hash covers. */
export interface AuditEntry {
  readonly organizationId: OrganizationId
  readonly number: number
  readonly content: AuditContent
  readonly text: string
  /** The hash of the entry before, and of this one. */
  readonly previous: string
  readonly hash: string
}

/** The hash before the first entry. */
export const noHash = ""

/** What the hash of an entry covers: the entry before, the number, and every character of the content. */
export const chainedText = (previous: string, number: number, text: string): string => `${previous}\n${number}\n${text}`

/** What an organization's log holds, as its end says: how many entries were written, and from which on they are kept. */
export interface AuditChain {
  readonly last: number
  readonly lastHash: string
  /** The number of the oldest entry that is kept, and the hash of the entry before it. */
  readonly first: number
  readonly anchor: string
}

/** The chain of an organization without entries. */
export const noChain: AuditChain = { last: 0, lastHash: noHash, first: 1, anchor: noHash }

/** What is wrong with a chain; `number` is that of the first entry that is not as it was written. */
export type ChainFlaw = { readonly kind: "changed" | "missing"; readonly number: number }

/** Where the check of a chain has come to. */
export interface ChainCheck {
  readonly next: number
  readonly previous: string
}

/** Where the check of a chain begins. */
export const checkFrom = ({ first, anchor }: AuditChain): ChainCheck => ({ next: first, previous: anchor })

/**
 * Checks the entries that follow, ascending. Answers where the check has come to, or the first flaw: an entry that is not there, or one
 * whose hash is not that of what it says.
 */
export const checkEntries = (
  check: ChainCheck,
  entries: ReadonlyArray<Pick<AuditEntry, "number" | "text" | "previous" | "hash">>,
  hash: (text: string) => string
): ChainCheck | ChainFlaw => {
  let { next, previous } = check
  for (const entry of entries) {
    if (entry.number !== next) return { kind: "missing", number: next }
    const isSound = entry.previous === previous && entry.hash === hash(chainedText(previous, entry.number, entry.text))
    if (!isSound) return { kind: "changed", number: entry.number }
    next++
    previous = entry.hash
  }
  return { next, previous }
}

/** Whether the check has come to the end that the chain says it has. */
export const checkEnd = ({ next, previous }: ChainCheck, { last, lastHash }: AuditChain): ChainFlaw | null => {
  if (next !== last + 1) return { kind: "missing", number: next }
  return previous === lastHash ? null : { kind: "changed", number: last }
}
