// Brings a data folder with many markers into PostgreSQL and ClickHouse, kills the command on the way, and asks both sides the same questions.
// Needs what `npm run test:cluster` installs, and a build. Arguments: --events 5e6 --kills 10 --questions 200.
import { Effect, FastCheck as fc } from "effect"
import { strict as assert } from "node:assert"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { Client } from "pg"
import { unfiltered } from "../../src/domain/analytics/filter/Filter.ts"
import type { Measure } from "../../src/domain/analytics/insight/InsightPlan.ts"
import type { Question } from "../../src/domain/analytics/question/Question.ts"
import { EnvironmentId } from "../../src/domain/Ids.ts"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { addressOf, endEngine, startEngine } from "../cluster/Postgres.ts"
import { startClickHouse } from "../support/cluster/ClickHouseProcess.ts"
import { eventsOn } from "../support/cluster/EventStores.ts"
import { urlOf } from "../support/cluster/Database.ts"
import { folderStores } from "../support/Folder.ts"
import { gameOf } from "../support/game/Game.ts"
import { openStudio } from "../support/access/Studio.ts"
import { fetchRequest, gamekeeper, startServer } from "../support/Server.ts"
import { setup as buildWorkers } from "../support/Workers.ts"
import { days, day, firstDay, types } from "./Generate.ts"
import { loadOurs } from "./Ours.ts"
import { funnel, insight, one, retention } from "./QuestionParts.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "5e6" },
    kills: { type: "string", default: "10" },
    questions: { type: "string", default: "200" }
  }
})
const [events, kills, count] = [Number(values.events), Number(values.kills), Number(values.questions)]
const environment = EnvironmentId.make(1)

const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`

const mode = { source: "argument", name: "mode" } as const

const measures: fc.Arbitrary<Measure> = fc.oneof(
  fc.constantFrom<Measure>({ type: "totalEvents" }, { type: "uniqueUsers" }, { type: "totalSessions" }),
  fc.constantFrom<Measure>(
    { type: "sum", argument: "price" },
    { type: "percentile", argument: "score", percentile: 95 }
  )
)

/** What a question is about: some of the days, some types of marker. */
const about = fc.record({
  from: fc.integer({ min: 0, max: days - 8 }),
  length: fc.integer({ min: 1, max: 7 }),
  picked: fc.uniqueArray(fc.integer({ min: 0, max: types.length - 1 }), { minLength: 3, maxLength: 3 }),
  metrics: fc.array(measures, { minLength: 1, maxLength: 3 }),
  isBroken: fc.boolean(),
  player: fc.integer({ min: 0, max: 5000 }),
  kind: fc.constantFrom("insight", "funnel", "retention", "unit", "listing", "countedUnits")
})

/** Numbers, funnels, retention, listings, markers of players, and players who had a type of marker, in some of the days. */
const question: fc.Arbitrary<Question> = about.map(({ from, length, picked, metrics, isBroken, player, kind }) => {
  const range = { from: firstDay + from * day, to: firstDay + (from + length) * day }
  const selectors = picked.map((type) => one(type))
  const selector = selectors[0]!
  switch (kind) {
    case "insight":
      return insight(length, selector, metrics, isBroken ? [mode] : [], 25, range)
    case "funnel":
      return { kind, plan: { ...funnel(length, day, selectors), range } }
    case "retention":
      return retention(selector, selectors.at(-1)!, isBroken ? "firstTime" : "recurring", length, 7)
    case "unit":
      return { kind, plan: { unitId: `player-${player}` } }
    case "listing":
      return {
        kind,
        plan: { range, types: selector.types, unitId: null, filter: unfiltered, limit: 50, after: null }
      }
    default:
      return { kind: "countedUnits", plan: { selector, range, minimum: 1, maximum: null, limit: 20 } }
  }
})

const withoutIds = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (name, value: unknown) => (name === "markerId" ? null : value)))

const bring = async (data: string, env: Record<string, string>, deathAfter: number | null) => {
  const started = performance.now()
  const running = gamekeeper(["migrate", "--to", "--data", data], env)
  const timer = deathAfter === null ? undefined : setTimeout(() => running.process.kill("SIGKILL"), deathAfter)
  const ended = await running.ended
  clearTimeout(timer)
  console.log(`${deathAfter === null ? "brought" : "killed"} after ${seconds(started)}`)
  return ended
}

const home = mkdtempSync(join(tmpdir(), "gamekeeper-migration-"))
// PostgreSQL runs as another user, who has to reach its folder.
const postgres = mkdtempSync(join(tmpdir(), "gamekeeper-postgres-"))
const data = join(home, "data")
buildWorkers()
const engine = await startEngine(postgres)
const clickHouse = await startClickHouse(join(home, "clickhouse"))
try {
  const admin = new Client({ connectionString: addressOf(postgres) })
  await admin.connect()
  await admin.query("create database moved")
  await admin.end()

  const server = await startServer(data)
  await gameOf(fetchRequest(server.url), await openStudio(fetchRequest(server.url), "ada"))
  await server.stop()
  const loading = performance.now()
  await loadOurs(join(data, "events.sqlite"), { events, players: Math.max(100, events / 100) }, 1000, 8)
  console.log(`${events} markers written in ${seconds(loading)}`)

  const metadata = urlOf(addressOf(postgres), "moved")
  const env = { GAMEKEEPER_METADATA: metadata, GAMEKEEPER_EVENTS: `clickhouse://${new URL(clickHouse.url).host}/moved` }
  const bringing = performance.now()
  for (let kill = 0; kill < kills; kill++) {
    const { code } = await bring(data, env, 2500 + Math.random() * (events / 1000))
    assert.notEqual(code, 0, `all was brought after ${kill} of ${kills} kills: there are too few markers`)
  }
  const { code, out, err } = await bring(data, env, null)
  console.log(`${events} markers brought in ${seconds(bringing)}, ${kills} times interrupted`)
  console.log(err + out)
  assert.equal(code, 0)

  const asked = fc.sample(question, count)
  const answers = Effect.flatMap(EventStore, ({ ask }) =>
    Effect.forEach(asked, (one) => Effect.map(ask(environment, one), ({ answer }) => withoutIds(answer)))
  )
  const expected = await Effect.runPromise(Effect.provide(answers, folderStores(data)))
  const databases = { postgres: metadata, clickHouse: { url: clickHouse.url, database: "moved" } }
  const arrived = await Effect.runPromise(Effect.provide(answers, eventsOn(databases, 7)))
  assert.deepEqual(arrived, expected)
  console.log(`${count} questions are answered the same by both`)
} finally {
  await clickHouse.end("SIGTERM")
  await endEngine(engine)
  for (const folder of [home, postgres]) rmSync(folder, { recursive: true, force: true })
}
