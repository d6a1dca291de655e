import { assert, it, layer } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Layer, Option } from "effect"
import { ExecutionRepo } from "../../../src/ports/analytics/ExecutionRepo.ts"
import { SavedQueryRepo } from "../../../src/ports/analytics/SavedQueryRepo.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { ClickRepo } from "../../../src/ports/deeplinks/ClickRepo.ts"
import { DeeplinkRepo } from "../../../src/ports/deeplinks/DeeplinkRepo.ts"
import { nextTurn } from "../../../src/ports/operations/NextTurn.ts"
import { Transaction } from "../../../src/ports/operations/Transaction.ts"
import { slotOf } from "../../../src/domain/deeplinks/Click.ts"
import { aProject, anExecution, aSavedQuery, at } from "../../support/analytics/SavedQueries.ts"
import { createdAt, newConfiguration } from "../../support/configuration/NewConfigurations.ts"
import { aClick, aDeeplink, conversionOf, noon } from "../../support/deeplinks/Links.ts"
import { clearRemoved } from "../../support/operations/Removed.ts"
import { inFile, metadataStores } from "../../support/Stores.ts"
import { addUser } from "../../support/access/Tenants.ts"

type Project = Effect.Effect.Success<typeof aProject>

const aConfiguration = Effect.fnUntraced(function* ({ application, production }: Project, name: string) {
  const configurations = yield* ConfigurationRepo
  const place = { applicationId: application.id, id: production }
  const added = yield* configurations.insert(newConfiguration(place, name))
  const { id, document, privacy, hash } = added
  const by = { reason: null, createdAt, createdBy: null }
  yield* configurations.insertVersion({ configurationId: id, version: 1, hash, document, privacy, ...by })
  return added
})

const aConvertedLink = Effect.fnUntraced(function* ({ application, production }: Project) {
  const clicks = yield* ClickRepo
  const link = aDeeplink(application.id)
  yield* (yield* DeeplinkRepo).insert(link)
  const click = aClick(link)
  yield* clicks.record([click])
  yield* clicks.convert(conversionOf(click, production))
  return { link, click }
})

/** What is found of a deeplink's click, by each of the questions that name neither its project nor the deeplink itself. */
const foundOf = Effect.fnUntraced(function* (
  { application, production }: Project,
  { link, click }: Effect.Effect.Success<ReturnType<typeof aConvertedLink>>
) {
  const clicks = yield* ClickRepo
  const of = { deeplinkId: link.id, environmentIds: [production], from: 0, to: noon * 2 }
  return {
    click: Option.isSome(yield* clicks.find(click.interactionId)),
    ofUnit: (yield* clicks.ofUnit(production, "u1")).filter(({ deeplinkId }) => deeplinkId === link.id).length,
    totals: (yield* clicks.totals(application.id, [production])).filter(({ deeplinkId }) => deeplinkId === link.id)
      .length,
    slots: (yield* clicks.clickCounts(link.id, 0, slotOf(noon) + 1)).length,
    conversions: (yield* clicks.conversions(of, null, 9)).length,
    converted: (yield* clicks.conversionCounts(of)).length,
    units: (yield* clicks.convertedUnits(of, null, 9)).length,
    users: yield* clicks.convertedUsers(of)
  }
})

const all = { click: true, ofUnit: 1, totals: 1, slots: 1, conversions: 1, converted: 1, units: 1, users: 1 }
const nothing = { click: false, ofUnit: 0, totals: 0, slots: 0, conversions: 0, converted: 0, units: 0, users: 0 }

for (const [label, store] of metadataStores) {
  layer(store)(`one record that was removed, in ${label}`, (it) => {
    it.effect("E8: a deeplink is hidden at once with all that came of it, and its neighbour stays", () =>
      Effect.gen(function* () {
        const project = yield* aProject
        const [gone, kept] = [yield* aConvertedLink(project), yield* aConvertedLink(project)]
        const deeplinks = yield* DeeplinkRepo
        yield* deeplinks.remove(gone.link.id)
        for (const step of [Effect.void, clearRemoved, clearRemoved]) {
          yield* step
          assert.deepStrictEqual(yield* foundOf(project, gone), nothing)
          assert.deepStrictEqual(yield* foundOf(project, kept), all)
        }
        const clicks = yield* ClickRepo
        assert.isFalse(yield* clicks.convert(conversionOf(gone.click, project.production, { unitId: "u2" })))
        yield* clicks.record([aClick(gone.link)])
        assert.deepStrictEqual(yield* foundOf(project, gone), nothing)
        const next = aDeeplink(project.application.id, { slug: gone.link.slug })
        assert.deepStrictEqual(yield* deeplinks.insert(next), Option.some(next))
      })
    )

    it.effect(
      "E8: a configuration is hidden at once with its versions, and so is a query with executions and stars",
      () =>
        Effect.gen(function* () {
          const { run, runRemoval } = yield* Transaction
          const project = yield* aProject
          const [configurations, queries, executions] = [
            yield* ConfigurationRepo,
            yield* SavedQueryRepo,
            yield* ExecutionRepo
          ]
          const { id } = project.application
          const [gone, kept] = [yield* aConfiguration(project, "gone"), yield* aConfiguration(project, "kept")]
          const [lost, left] = [aSavedQuery(id), aSavedQuery(id)]
          const ada = yield* addUser()
          const requested = []
          for (const query of [lost, left]) {
            yield* queries.insert(query)
            yield* queries.star(query.id, ada.id, true)
            const execution = anExecution(query, project.production, { idempotencyKey: "once" })
            requested.push(yield* executions.insert(execution))
          }
          const running = Option.getOrThrow(yield* executions.claim(at(1), "a", at(9), []))
          assert.strictEqual(running.id, requested[0]!.id)
          const step = Effect.all([configurations.remove(gone.id), queries.remove(id, lost.id)])
          const undone = Effect.zipRight(step, Effect.fail("undone"))
          assert.strictEqual(yield* Effect.flip(runRemoval(undone)), "undone")
          assert.strictEqual((yield* configurations.versions(gone.id, null, 9)).length, 1)
          assert.isTrue(Option.isSome(yield* executions.find(lost.id, running.id)))
          yield* runRemoval(step)
          const ending = { ...running, state: "succeeded" as const, result: "{}", finishedAt: at(2) }
          for (const each of [Effect.void, clearRemoved]) {
            yield* each
            assert.deepStrictEqual(yield* configurations.list(project.production), [kept])
            assert.deepStrictEqual(yield* configurations.versions(gone.id, null, 9), [])
            assert.deepStrictEqual(yield* configurations.version(gone.id, 1), Option.none())
            assert.strictEqual((yield* configurations.versions(kept.id, null, 9)).length, 1)
            assert.deepStrictEqual(yield* executions.find(lost.id, running.id), Option.none())
            assert.deepStrictEqual(yield* executions.findByKey(lost.id, project.production, "once"), Option.none())
            assert.isFalse(yield* executions.finish(running.id, "a", ending))
            assert.deepStrictEqual(yield* executions.cancel(running.id, at(2)), Option.none())
            assert.strictEqual(yield* executions.unfinished(id), 1)
            assert.deepStrictEqual(yield* queries.starred(ada.id, [lost.id, left.id]), new Set([left.id]))
          }
          const next = Option.getOrThrow(yield* executions.claim(at(3), "a", at(9), []))
          assert.strictEqual(next.id, requested[1]!.id)
          yield* run(Effect.all([configurations.remove(kept.id), queries.remove(id, left.id)]))
          assert.deepStrictEqual(yield* configurations.versions(kept.id, null, 9), [])
          assert.strictEqual(yield* executions.unfinished(id), 0)
        })
    )
  })
}

/** Copies of the rows that a record has, as another program makes them. */
const copied = {
  deeplink_clicks: `insert into deeplink_clicks select 'c' || i, deeplink_id, clicked_at, expires_at, source, country, device,
    visitor from deeplink_clicks, n`,
  deeplink_visitors: `insert into deeplink_visitors select deeplink_id, 'v' || i from deeplink_visitors, n`,
  deeplink_slots: `insert into deeplink_slots select deeplink_id, i, source, country, device, 1, 1 from deeplink_slots, n`,
  deeplink_conversions: `insert into deeplink_conversions select 'c' || i, 'u' || i, deeplink_id, environment_id, clicked_at,
    expires_at, converted_at, source, country, device from deeplink_conversions, n`,
  configuration_versions: `insert into configuration_versions (configuration_id, version, hash, document, privacy, created_at)
    select configuration_id, i + 1, hash, document, privacy, created_at from configuration_versions, n`,
  configuration_links: `insert into configuration_links select id, i from configurations, n`,
  executions: `insert into executions (id, query_id, application_id, environment_id, requester, definition, state,
    rows_scanned, rows_total, requested_at) select 'e' || i, query_id, application_id, environment_id, requester, definition,
    state, 0, 0, requested_at from executions, n`
}
type Copied = keyof typeof copied

const records = Effect.fnUntraced(function* (project: Project) {
  const { application, production } = project
  const query = aSavedQuery(application.id)
  const [configurations, deeplinks, executions, queries] = [
    yield* ConfigurationRepo,
    yield* DeeplinkRepo,
    yield* ExecutionRepo,
    yield* SavedQueryRepo
  ]
  yield* queries.insert(query)
  yield* executions.insert(anExecution(query, production, {}))
  const { link } = yield* aConvertedLink(project)
  const configuration = yield* aConfiguration(project, "a")
  return {
    deeplink: deeplinks.remove(link.id),
    configuration: configurations.remove(configuration.id),
    query: queries.remove(application.id, query.id)
  }
})

const rows: ReadonlyArray<readonly [record: "deeplink" | "configuration" | "query", table: Copied, most: number]> = [
  ["deeplink", "deeplink_clicks", 500],
  ["deeplink", "deeplink_visitors", 500],
  ["deeplink", "deeplink_slots", 500],
  ["deeplink", "deeplink_conversions", 500],
  ["configuration", "configuration_links", 500],
  ["configuration", "configuration_versions", 5],
  ["query", "executions", 5]
]

it.scoped("E8: no turn of the event loop deletes more than a portion of what one removed record had", () =>
  Effect.gen(function* () {
    const { file, layer: store } = yield* inFile
    const work = Effect.gen(function* () {
      const remove = yield* records(yield* aProject)
      const database = yield* Effect.acquireRelease(
        Effect.sync(() => new Database(file)),
        (opened) => Effect.sync(() => opened.close())
      )
      for (const [, table, most] of rows) {
        const count = most === 5 ? 18 : 1700
        database.exec(
          `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count}) ${copied[table]}`
        )
      }
      const left = () =>
        rows.map(([, table]) => database.prepare<[], { n: number }>(`select count(*) as n from ${table}`).get()?.n ?? 0)
      const seen: Array<ReadonlyArray<number>> = []
      const look = Effect.sync(() => seen.push(left()))
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(look, nextTurn)))
      yield* nextTurn
      const { runRemoval } = yield* Transaction
      for (const record of ["deeplink", "configuration", "query"] as const) {
        yield* record === "deeplink" ? remove[record] : runRemoval(remove[record])
        yield* look
        yield* clearRemoved
        yield* look
        rows.forEach(([of], at) => (of === record ? assert.strictEqual(seen.at(-1)?.[at], 0) : undefined))
      }
      for (const [at, [, table, most]] of rows.entries()) {
        const counts = seen.map((each) => each[at] ?? 0)
        assert.isAbove(counts[0] ?? 0, 2 * most, table)
        counts.reduce((before, after) => {
          assert.isAtMost(before - after, most, table)
          return after
        })
      }
      assert.deepStrictEqual(database.pragma("foreign_key_check"), [])
    })
    yield* Effect.provide(work, yield* Layer.build(store))
  })
)
