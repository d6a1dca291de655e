import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { vi } from "vitest"
import { SqliteMetadata } from "../../../src/adapters/sqlite/Sqlite.ts"
import { EnvironmentId } from "../../../src/domain/Ids.ts"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"

const none = EnvironmentId.make(1)

/** What shows none of the documents and results of an environment: a row that was read would be read with all pages of its own. */
const beside = Effect.gen(function* () {
  const [configurations, executions] = [yield* ConfigurationRepo, yield* ExecutionRepo]
  yield* configurations.summaries(none)
  yield* executions.removeMentioning(none, () => true)
})

it.effect("E8: lists of configurations, and searches for results, go by indexes beside the documents", () =>
  Effect.gen(function* () {
    const asked = new Map<string, Database.Database>()
    const { prepare } = Database.prototype
    const context = yield* Effect.context<ConfigurationRepo | ExecutionRepo>()
    const spy = vi.spyOn(Database.prototype, "prepare").mockImplementation(function (this: Database.Database, source) {
      asked.set(source, this)
      return prepare.call(this, source)
    })
    yield* Effect.provide(beside, context)
    spy.mockRestore()
    const plans = [...asked].flatMap(([statement, database]) =>
      database
        .prepare<unknown[], { detail: string }>(`explain query plan ${statement}`)
        .all(...Array.from(statement.matchAll(/\?/g), () => 1))
        .map(({ detail }) => detail)
    )
    assert.deepStrictEqual(plans, [
      "SEARCH configurations USING COVERING INDEX configurations_summaries (environment_id=?)",
      "SEARCH executions USING INDEX executions_ended (environment_id=?)"
    ])
  }).pipe(Effect.provide(SqliteMetadata(":memory:")))
)
