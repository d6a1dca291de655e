import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { AuditRepo } from "../../../src/ports/operations/AuditRepo.ts"
import { nextTurn } from "../../../src/ports/operations/NextTurn.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { WebhookRepo } from "../../../src/ports/operations/WebhookRepo.ts"
import { addOrganization } from "../../support/access/Tenants.ts"
import { webhookOf } from "../../support/operations/StoredWebhooks.ts"
import { inFile } from "../../support/Stores.ts"

/** How many turns the event loop takes meanwhile. */
const turnsOf = <A>(effect: Effect.Effect<A>) =>
  Effect.gen(function* () {
    let turns = 0
    const turn = setInterval(() => turns++, 1)
    const answer = yield* effect
    clearInterval(turn)
    return [answer, turns] as const
  })

it.scoped("E8: what a filter of the log of changes goes through is read in a thread, while this one goes on", () =>
  Effect.gen(function* () {
    const { file, layer } = yield* inFile
    const context = yield* Layer.build(layer)
    const { id } = yield* Effect.provide(addOrganization, context)
    const database = new Database(file)
    database
      .prepare(
        `with recursive n (i) as (select 1 union all select i + 1 from n where i < 60000)
          insert into audit_entries select ?, i, i, 'ada', 'cohorts.create', 'cohorts', i, null, hex(zeroblob(400)), 'a', 'b' from n`
      )
      .run(id)
    database.close()
    const anything = { userId: null, kind: null, objectId: null, applicationId: null, from: null, to: null }
    const listed = Context.get(context, AuditRepo).list(id, { ...anything, operation: "nothing" }, null, 10)
    const [entries, turns] = yield* turnsOf(listed)
    assert.deepStrictEqual(entries, [])
    assert.isAbove(turns, 2)
  })
)

it.scoped("an entry that cannot be read keeps those of no organization beyond their time", () =>
  Effect.gen(function* () {
    const { file, layer } = yield* inFile
    const context = yield* Layer.build(layer)
    const repo = Context.get(context, AuditRepo)
    const ids = [
      (yield* Effect.provide(addOrganization, context)).id,
      (yield* Effect.provide(addOrganization, context)).id
    ]
    const database = new Database(file)
    for (const id of ids) {
      const entry = database.prepare(`insert into audit_entries
        values (?, ?, ?, null, 'cohorts.create', 'cohorts', '1', null, 'damaged', 'a', ?)`)
      for (const number of [5001, 5002, 5003]) entry.run(id, number, number, `hash ${number}`)
      database.prepare("insert into audit_chains values (?, 5003, 'hash 5003', 1, 'none')").run(id)
    }
    database.close()
    yield* repo.expire(5003)
    const chain = { last: 5003, lastHash: "hash 5003", first: 5003, anchor: "hash 5002" }
    for (const id of ids) assert.deepStrictEqual(yield* repo.chain(id), chain)
  })
)

it.scoped("E8: no turn of the event loop deletes more than 500 deliveries of a webhook", () =>
  Effect.gen(function* () {
    const { layer: store } = yield* inFile
    const counts: Array<number> = []
    const work = Effect.gen(function* () {
      const repo = yield* WebhookRepo
      const organizationId = (yield* addOrganization).id
      const webhook = yield* repo.insert(webhookOf(organizationId))
      const delivery = {
        webhookId: webhook.id,
        organizationId,
        eventId: randomUUID(),
        type: "cohort.failed",
        objectKey: "cohort:1",
        payload: "{}",
        state: "waiting" as const,
        attempts: [],
        tries: 0,
        nextAt: 100,
        createdAt: 100
      }
      const { run } = yield* Transaction
      yield* run(Effect.replicateEffect(repo.insertDelivery(delivery), 1200, { discard: true }))
      const look = Effect.map(repo.countsWaiting, (waiting) => counts.push(waiting.get(webhook.id) ?? 0))
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(look, nextTurn)))
      yield* nextTurn
      yield* repo.remove(organizationId, webhook.id)
      yield* look
      assert.deepStrictEqual(yield* repo.list(organizationId), [])
    })
    yield* Effect.provide(work, yield* Layer.build(store))
    assert.deepStrictEqual([counts[0], counts.at(-1)], [1200, 0])
    counts.reduce((before, after) => {
      assert.isAtMost(before - after, 500)
      return after
    })
  })
)
