import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { DateTime, Effect } from "effect"
import { vi } from "vitest"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { OrganizationId } from "../../../src/domain/Ids.ts"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import { CohortRepo } from "../../../src/ports/cohorts/CohortRepo.ts"
import { ClickRepo } from "../../../src/ports/deeplinks/ClickRepo.ts"
import { ServerStateRepo } from "../../../src/ports/game/ServerStateRepo.ts"
import { AlertRepo } from "../../../src/ports/operations/AlertRepo.ts"
import { WebhookRepo } from "../../../src/ports/operations/WebhookRepo.ts"

/** What jobs ask for again and again, most of it every few seconds. */
const recurring = Effect.gen(function* () {
  const [alerts, cohorts, clicks] = [yield* AlertRepo, yield* CohortRepo, yield* ClickRepo]
  const [executions, states, webhooks] = [yield* ExecutionRepo, yield* ServerStateRepo, yield* WebhookRepo]
  const now = DateTime.unsafeMake(1_800_000_000_000)
  yield* alerts.findDue(now.epochMillis, 10, [OrganizationId.make(1)])
  yield* alerts.expire(now.epochMillis)
  yield* cohorts.isAnyDue(now)
  yield* cohorts.claim(now, "process", now, [OrganizationId.make(1)])
  yield* clicks.expire(now.epochMillis)
  yield* executions.claim(now, "process", now, [OrganizationId.make(1)])
  yield* executions.requeue(now)
  yield* executions.removeFinished(now)
  yield* states.expire(now.epochMillis)
  yield* webhooks.findDue(now.epochMillis, 10)
  yield* webhooks.countsWaiting
  yield* webhooks.expire(now.epochMillis)
})

/** The steps of SQLite's plan for a statement that go through the whole of a table or index, such as a table that only grows. */
const scansOf = (database: Database.Database, statement: string): ReadonlyArray<string> => {
  const values = Array.from(statement.matchAll(/\?/g), () => 1)
  const isPartial = database
    .prepare<[string], number>("select 1 from sqlite_schema where type = 'index' and name = ? and sql like '% where %'")
    .pluck()
  return (
    database
      .prepare<unknown[], { detail: string }>(`explain query plan ${statement}`)
      .all(...values)
      .map(({ detail }) => detail)
      // What a subquery has made has no index, and an index of some rows, such as those that wait, is short.
      .filter((step) => /^SCAN (?!\(|ready\b)/.test(step))
      .filter((step) => isPartial.get(/INDEX (\w+)/.exec(step)?.[1] ?? "") === undefined)
  )
}

it.effect("What jobs ask for again and again goes through no table, however much is in it", () =>
  Effect.gen(function* () {
    const asked = new Map<string, Database.Database>()
    const { prepare } = Database.prototype
    yield* Effect.scoped(
      Effect.gen(function* () {
        const context = yield* Effect.context<
          CohortRepo | ExecutionRepo | ClickRepo | ServerStateRepo | AlertRepo | WebhookRepo
        >()
        const spy = vi.spyOn(Database.prototype, "prepare").mockImplementation(function (
          this: Database.Database,
          source
        ) {
          asked.set(source, this)
          return prepare.call(this, source)
        })
        yield* Effect.provide(recurring, context)
        spy.mockRestore()
        assert.isAbove(asked.size, 10)
        for (const [statement, database] of asked)
          if (/^\s*(select|delete|update|with)/i.test(statement))
            assert.deepStrictEqual(scansOf(database, statement), [], statement)
      })
    )
  }).pipe(Effect.provide(SqliteMetadata(":memory:")))
)
