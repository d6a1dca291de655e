import { DateTime, Effect, Schema } from "effect"
import type { AuditPage, AuditQuery, AuditVerification } from "../../../schema/operations/Audit.ts"
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
import { AuditTrail } from "./AuditTrail.ts"
import { newestFirst } from "./NewestFirst.ts"

/** Entries that are checked in one turn of the event loop. */
const checkedAtOnce = 500

const EntryNumber = Schema.Int.pipe(Schema.positive())

const recordOf = ({ number, content: { at, ...content }, hash }: AuditEntry) => ({
  number,
  at: DateTime.unsafeMake(at),
  ...content,
  hash
})

const millis = (instant: DateTime.Utc | undefined): number | null =>
  instant === undefined ? null : DateTime.toEpochMillis(instant)

/** The log of changes as those read it who may. */
export class AuditLog extends Effect.Service<AuditLog>()("services/operations/AuditLog", {
  effect: Effect.gen(function* () {
    const repo = yield* AuditRepo
    const policy = yield* Policy
    const { hash } = yield* AuditTrail

    const open = Effect.fnUntraced(function* (id: OrganizationId) {
      yield* policy.organization("audit:read", id)
      yield* policy.coversAllProjects()
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
        (below, most) => repo.list(id, filter, below, most)
      )
      return { items: items.map(recordOf), nextCursor } satisfies AuditPage
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
      // Entries that grew too old while they were read are not missing.
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
