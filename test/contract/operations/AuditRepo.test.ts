import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { ApplicationId, type OrganizationId } from "../../../src/domain/Ids.ts"
import {
  type AuditContent,
  checkEnd,
  checkEntries,
  checkFrom,
  noChain
} from "../../../src/domain/operations/audit/AuditEntry.ts"
import { type AuditFilter, AuditRepo } from "../../../src/ports/operations/AuditRepo.ts"
import { addOrganization, newUserId } from "../../support/access/Tenants.ts"
import { everyStore } from "../../support/Stores.ts"

const hash = (text: string) => createHash("sha256").update(text).digest("base64url")

const all: AuditFilter = {
  userId: null,
  operation: null,
  kind: null,
  objectId: null,
  applicationId: null,
  from: null,
  to: null
}

const content = (at: number, more: Partial<AuditContent> = {}): AuditContent => ({
  at,
  actor: { kind: "system", userId: null, email: null, keyId: null, keyName: null },
  address: null,
  requestId: `request ${at}`,
  operation: "cohorts.create",
  object: { kind: "cohorts", id: String(at), name: 'Whales "東京"' },
  applicationId: null,
  environmentId: null,
  reason: null,
  outcome: "done",
  changes: [{ path: "name", before: null, after: '"Whales"' }],
  moreChanges: 0,
  ...more
})

for (const [label, store] of everyStore) {
  layer(store)(`the audit log in ${label}`, (it) => {
    const append = (organizationId: OrganizationId, ...contents: ReadonlyArray<AuditContent>) =>
      Effect.flatMap(AuditRepo, (repo) =>
        Effect.forEach(
          contents.map((each) => ({ id: `${organizationId} ${each.at}`, organizationId, content: each })),
          (change) => Effect.zipRight(repo.begin(change), repo.append(change, hash)),
          { discard: true }
        )
      )

    it.effect("chains the entries of each organization, and lists them newest first", () =>
      Effect.gen(function* () {
        const repo = yield* AuditRepo
        const [own, other] = [(yield* addOrganization).id, (yield* addOrganization).id]
        assert.deepStrictEqual(yield* repo.chain(own), noChain)
        yield* append(own, content(1), content(2))
        yield* append(other, content(3))
        yield* append(own, content(4))
        const entries = yield* repo.from(own, 1, 10)
        assert.deepStrictEqual(
          entries.map(({ number, content: { at } }) => [number, at]),
          [
            [1, 1],
            [2, 2],
            [3, 4]
          ]
        )
        assert.deepStrictEqual(entries[0]?.content, content(1))
        const chain = yield* repo.chain(own)
        const checked = checkEntries(checkFrom(chain), entries, hash)
        assert.deepStrictEqual(checked, { next: 4, previous: chain.lastHash })
        assert.isNull("next" in checked ? checkEnd(checked, chain) : checked)
        const newest = yield* repo.list(own, all, null, 2)
        assert.deepStrictEqual(
          newest.map(({ number }) => number),
          [3, 2]
        )
        assert.deepStrictEqual(
          (yield* repo.list(own, all, 2, 2)).map(({ number }) => number),
          [1]
        )
        assert.deepStrictEqual(
          (yield* repo.from(own, 2, 1)).map(({ number }) => number),
          [2]
        )
      })
    )

    it.effect("finds entries by who, what, where and when", () =>
      Effect.gen(function* () {
        const repo = yield* AuditRepo
        const own = (yield* addOrganization).id
        const user = newUserId()
        const actor = { kind: "session", userId: user, email: "a@b.c", keyId: null, keyName: null } as const
        const applicationId = ApplicationId.make(7)
        yield* append(
          own,
          content(1, { actor }),
          content(2, { operation: "cohorts.update" }),
          content(3, { object: { kind: "roles", id: "9", name: null } }),
          content(4, { applicationId })
        )
        const found = (filter: Partial<AuditFilter>) =>
          Effect.map(repo.list(own, { ...all, ...filter }, null, 10), (entries) => entries.map(({ number }) => number))
        assert.deepStrictEqual(yield* found({ userId: user }), [1])
        assert.deepStrictEqual(yield* found({ operation: "cohorts.update" }), [2])
        assert.deepStrictEqual(yield* found({ kind: "roles" }), [3])
        assert.deepStrictEqual(yield* found({ kind: "roles", objectId: "8" }), [])
        assert.deepStrictEqual(yield* found({ applicationId }), [4])
        assert.deepStrictEqual(yield* found({ from: 2, to: 4 }), [3, 2])
      })
    )

    it.effect("knows which changes have begun and not ended", () =>
      Effect.gen(function* () {
        const repo = yield* AuditRepo
        const organizationId = (yield* addOrganization).id
        const begun = [20, 10, 30].map((at) => ({ id: `begun ${at}`, organizationId, content: content(at) }))
        yield* Effect.forEach(begun, repo.begin)
        const ours = Effect.map(repo.unfinished(25), (found) =>
          found.filter((each) => each.organizationId === organizationId)
        )
        assert.deepStrictEqual(yield* ours, [begun[1], begun[0]])
        yield* repo.discard("begun 10")
        const late = { id: "begun 20", organizationId, content: content(20) }
        yield* repo.append(late, hash)
        assert.deepStrictEqual(yield* ours, [])
        yield* repo.append({ ...late, content: { ...content(20), outcome: "done" } }, hash)
        assert.strictEqual((yield* repo.chain(organizationId)).last, 1)
      })
    )

    it.effect("drops what is too old from the oldest on, and the rest can still be checked", () =>
      Effect.gen(function* () {
        const repo = yield* AuditRepo
        const own = (yield* addOrganization).id
        yield* append(own, content(100), content(300), content(200), content(400))
        yield* repo.expire(250)
        const chain = yield* repo.chain(own)
        const entries = yield* repo.from(own, 1, 10)
        assert.deepStrictEqual([chain.first, chain.last, entries.map(({ number }) => number)], [2, 4, [2, 3, 4]])
        assert.deepInclude(checkEntries(checkFrom(chain), entries, hash), { next: 5 })
        yield* repo.expire(500)
        const empty = yield* repo.chain(own)
        assert.deepStrictEqual([empty.first, empty.last], [5, 4])
        assert.isNull(checkEnd(checkFrom(empty), empty))
        yield* append(own, content(600))
        assert.deepInclude(checkEntries(checkFrom(empty), yield* repo.from(own, 1, 10), hash), { next: 6 })
      })
    )
  })
}
