import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { DemoServices } from "../../../src/app/demo/DemoStudio.ts"
import { SqliteStores } from "../../../src/app/Layers.ts"
import { DemoGame } from "../../../src/domain/demo/DemoGame.ts"
import { dayMillis, minuteMillis } from "../../../src/domain/Durations.ts"
import { Demo } from "../../../src/services/demo/Demo.ts"
import { asOf } from "../../../src/services/demo/Past.ts"
import { openStudio, studioOf } from "../../support/access/Studio.ts"
import { caller } from "../../support/Caller.ts"
import { testApp } from "../../support/TestApp.ts"

const now = Date.now()
const twoDaysAgo = now - 2 * dayMillis
const firstDay = Math.floor(twoDaysAgo / dayMillis) - 35
const from = new Date(firstDay * dayMillis).toISOString()

/** The starts of all sessions up to an instant. */
const startsUntil = (until: number): ReadonlyArray<number> => {
  const game = new DemoGame(firstDay)
  const starts: Array<number> = []
  while (game.nextDay * dayMillis <= until) starts.push(...game.next().sessions.map(({ startsAt }) => startsAt))
  return starts.filter((startsAt) => startsAt <= until)
}

describe("the demo studio", () => {
  const { request, run } = testApp(SqliteStores)

  /** A process with `--demo` that starts, goes on at each of the instants, and ends. */
  const start = (at: number, ...steps: ReadonlyArray<number>) =>
    run(
      Effect.flatMap(Layer.build(DemoServices), (services) =>
        Effect.gen(function* () {
          const demo = yield* Demo
          const signIn = yield* asOf(at)(demo.play())
          for (const step of steps) yield* asOf(step)(demo.goOn())
          return signIn
        }).pipe(Effect.provide(services))
      ).pipe(Effect.scoped, Effect.provide(Logger.remove(Logger.defaultLogger)))
    )

  const enter = async ({ email, password }: Awaited<ReturnType<typeof start>>) => {
    const studio = await studioOf(request, await request("POST", "/users/auth/signin", { body: { email, password } }))
    const headers = { ...studio.cookie, environment_id: String(studio.production) }
    return { ...studio, call: caller(request, headers) }
  }
  type Studio = Awaited<ReturnType<typeof enter>>

  /** How often markers of a type happened from the launch up to an instant, by day. */
  const countOf = async (
    { call, applicationId }: Studio,
    type: string,
    until: number
  ): Promise<ReadonlyArray<number>> => {
    const answer = await call("POST", `/application/${applicationId}/analytics/v1/queries/insights/execute`, {
      time: { from, to: new Date(until + 1).toISOString() },
      metrics: [{ id: "A", data: { type: "totalEvents", name: type } }]
    })
    return answer.body.series[0].values
  }
  const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

  /** How many sessions started up to an instant, by day; its own day may have none yet. */
  const byDay = (until: number): ReadonlyArray<number> => {
    const counts = Array.from({ length: Math.floor(until / dayMillis) - firstDay + 1 }, () => 0)
    for (const startsAt of startsUntil(until)) {
      const day = Math.floor(startsAt / dayMillis) - firstDay
      counts[day] = (counts[day] ?? 0) + 1
    }
    return counts
  }

  const everything = async ({ call, applicationId, organizationId }: Studio) => {
    const home = `/application/${applicationId}`
    const items = async (path: string) => {
      const { body } = await call("GET", path)
      return body.items ?? body
    }
    const lists = {
      configurations: await items(`${home}/v2/configurations`),
      experiments: await items(`${home}/v2/experiments`),
      cohorts: await items(`${home}/analytics/v1/cohorts`),
      queries: await items(`${home}/analytics/v1/queries`),
      boards: await items(`${home}/boards`),
      heatmaps: await items(`${home}/analytics/v1/heatmaps`),
      deeplinks: await items(`${home}/deeplinks`),
      keys: await items(`/organization/${organizationId}/api-keys`),
      pending: await items(`${home}/analytics/v1/markers/types/pending`)
    }
    return lists
  }

  it("H4: has everything from the first start, goes on without a gap, and nothing twice", async () => {
    const ada = await openStudio(request, "ada")
    const demo = await enter(await start(twoDaysAgo))
    assert.deepStrictEqual(await countOf(demo, "Login", twoDaysAgo), byDay(twoDaysAgo))
    const before = await everything(demo)
    const sizes = Object.fromEntries(Object.entries(before).map(([name, all]) => [name, all.length]))
    assert.deepStrictEqual(sizes, {
      ...{ configurations: 4, experiments: 3, cohorts: 5, queries: 9, boards: 2, heatmaps: 1, deeplinks: 2, keys: 2 },
      pending: 1
    })

    const primary = before.configurations.find(({ isPrimary }: { isPrimary: boolean }) => isPrimary)
    const versions = await demo.call(
      "GET",
      `/application/${demo.applicationId}/v2/configuration/${primary.id}/versions`
    )
    assert.isAtLeast(versions.body.length ?? versions.body.items.length, 5)
    assert.isTrue(before.boards.some(({ pinned }: { pinned: boolean }) => pinned))
    for (const { clicks, conversions } of before.deeplinks) {
      assert.isAbove(conversions, 100)
      assert.isAbove(clicks, 2 * conversions)
    }
    const image = await request("GET", before.heatmaps[0].imageUrl.replace(/^https?:\/\/[^/]+/, ""), {
      headers: demo.cookie
    })
    assert.deepStrictEqual([image.status, image.headers.get("content-type")], [200, "image/png"])

    const soon = now + minuteMillis
    const later = now + 8 * minuteMillis
    const again = await enter(await start(now, now, now, soon, later))
    assert.deepStrictEqual(await countOf(again, "Login", later), byDay(later))
    const conversions = (all: ReadonlyArray<{ conversions: number }>) => sum(all.map((each) => each.conversions))
    const after = await everything(again)
    assert.isAbove(conversions(after.deeplinks), conversions(before.deeplinks))
    for (const [name, all] of Object.entries(after)) assert.strictEqual(all.length, sizes[name], name)

    const adas = await everything({
      ...ada,
      call: caller(request, { ...ada.cookie, environment_id: String(ada.production) })
    })
    for (const [name, all] of Object.entries(adas)) assert.deepStrictEqual(all, [], name)
  })

  it("H4: has an experiment that wins, one that is not clear, and one with a broken split", async () => {
    const demo = await enter(await start(now, now))
    const { experiments } = await everything(demo)
    const results = async (name: string) => {
      const { id } = experiments.find((each: { name: string }) => each.name === name)
      const { body } = await demo.call("GET", `/application/${demo.applicationId}/v2/experiments/${id}/results`)
      const verdictOf = (metric: string) =>
        body.metrics.find((each: { id: string }) => each.id === metric).comparisons[0].verdict
      return { srm: body.srm.verdict, verdictOf }
    }
    const price = await results("Cheaper starter pack")
    assert.deepStrictEqual([price.srm, price.verdictOf("buyers")], ["healthy", "winning"])
    const tutorial = await results("Shorter tutorial")
    assert.deepStrictEqual([tutorial.srm, tutorial.verdictOf("level")], ["healthy", "inconclusive"])
    const menu = await results("New main menu")
    assert.deepStrictEqual([menu.srm, menu.verdictOf("ads")], ["unhealthy", "unhealthy"])
  })
})
