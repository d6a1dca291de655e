import { DateTime, Effect, Schema } from "effect"
import { Principal } from "../../../schema/access/Auth.ts"
import type { AuditPage, AuditQuery, AuditVerification } from "../../../schema/operations/Audit.ts"
import { keyOf } from "../../domain/access/Principal.ts"
import type { OrganizationId } from "../../domain/Ids.ts"
import {
  type AuditChain,
  type AuditEntry,
  checkEnd,
  checkEntries,
  checkFrom
} from "../../domain/operations/audit/AuditEntry.ts"
import { AuditRepo } from "../../ports/operations/AuditRepo.ts"
import { nextTurn } from "../../ports/operations/NextTurn.ts"
import { Policy } from "../access/Policy.ts"
import { Rights } from "../access/Rights.ts"
import { AuditTrail } from "./AuditTrail.ts"
import { newestFirst } from "./NewestFirst.ts"

/** Entries that are checked in one turn of the event loop. */
const checkedAtOnce = 20

const EntryNumber = Schema.Int.pipe(Schema.positive())

const recordOf = ({ number, content: { at, ...content }, hash }: AuditEntry) => ({
  number,
  at: DateTime.unsafeMake(at),
  ...content,
  hash
})

type AuditRecord = ReturnType<typeof recordOf>

/** What is told of a change in a project or an environment that the caller may not read: that there was one. */
const withoutContent = (record: AuditRecord): AuditRecord => ({
  ...record,
  object: { ...record.object, name: null },
  reason: null,
  changes: [],
  moreChanges: 0
})

const millis = (instant: DateTime.Utc | undefined): number | null =>
  instant === undefined ? null : DateTime.toEpochMillis(instant)

/** The log of changes as those read it who may. */
export class AuditLog extends Effect.Service<AuditLog>()("services/operations/AuditLog", {
  effect: Effect.gen(function* () {
    const repo = yield* AuditRepo
    const policy = yield* Policy
    const rights = yield* Rights
    const { hash } = yield* AuditTrail

    const open = Effect.fnUntraced(function* (id: OrganizationId) {
      yield* policy.organization("audit:read", id)
      yield* policy.coversAllProjects()
    })

    /**
     * Whether the caller may read what was changed: a role of its own in a project may allow less than the one in the organization, and a token
     * may be made for some environments only.
     */
    const sightOf = Effect.fnUntraced(function* (id: OrganizationId) {
      if (yield* rights.isOwner(id)) return () => true
      const held = yield* rights.heldOrNothing(id)
      const key = keyOf(yield* Principal)
      return ({ applicationId, environmentId }: AuditRecord) =>
        held(applicationId).has("audit:read") &&
        (key === undefined || environmentId === null || key.environmentIds.includes(environmentId))
    })

    const list = Effect.fnUntraced(function* (id: OrganizationId, query: AuditQuery) {
      yield* open(id)
      const { userId = null, operation = null, kind = null, objectId = null, applicationId = null } = query
      const filter = {
        userId,
        operation,
        kind,
        objectId,
        applicationId,
        from: millis(query.from),
        to: millis(query.to)
      }
      const { items, nextCursor } = yield* newestFirst(
        query,
        EntryNumber,
        (entry: AuditEntry) => entry.number,
        (below, most) => repo.list(id, filter, below, most),
        ({ text }) => text.length
      )
      const mayRead = yield* sightOf(id)
      const records = items.map(recordOf)
      const told = records.map((each) => (mayRead(each) ? each : withoutContent(each)))
      return { items: told, nextCursor } satisfies AuditPage
    })

    const flawOf = Effect.fnUntraced(function* (id: OrganizationId, chain: AuditChain) {
      let check = checkFrom(chain)
      while (check.next <= chain.last) {
        const entries = yield* repo.from(id, check.next, checkedAtOnce)
        const known = entries.filter(({ number }) => number <= chain.last)
        if (known.length === 0) break
        const result = checkEntries(check, known, hash)
        if (!("next" in result)) return result
        check = result
        yield* nextTurn
      }
      return checkEnd(check, chain)
    })

    const verify = Effect.fnUntraced(function* (id: OrganizationId) {
      yield* open(id)
      let chain = yield* repo.chain(id)
      let flaw = yield* flawOf(id, chain)
      let now = yield* repo.chain(id)
      // Entries that retention deleted while the chain was read are not missing.
      while (flaw !== null && now.first !== chain.first) {
        chain = now
        flaw = yield* flawOf(id, chain)
        now = yield* repo.chain(id)
      }
      const { first, last, lastHash } = chain
      return { intact: flaw === null, first, last, lastHash, flaw } satisfies AuditVerification
    })

    return { list, verify } as const
  })
}) {}
