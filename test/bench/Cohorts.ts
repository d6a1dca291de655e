import { Effect } from "effect"
import { mkdirSync, rmSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { parseArgs } from "node:util"
import type { DuckDBConnection } from "@duckdb/node-api"
import { cohortMembersSqlite } from "../../src/adapters/sqlite/cohorts/CohortMembers.ts"
import type { Events } from "../../src/adapters/sqlite/events/Events.ts"
import type { Event } from "../../src/domain/analytics/markers/Event.ts"
import { unfiltered } from "../../src/domain/analytics/filter/Filter.ts"
import type { CohortPlan, PlannedWindow } from "../../src/domain/cohorts/CohortPlan.ts"
import { CohortId, EnvironmentId } from "../../src/domain/Ids.ts"
import { setup } from "../support/Workers.ts"
import { loadDuck, openDuck } from "./Duck.ts"
import { day, days, firstDay, type Size, types } from "./Generate.ts"
import { append, close, loadOurs, maintain, openOurs } from "./Ours.ts"
import { hand } from "./report/Hand.ts"
import { median, ratios, shown, timed } from "./report/Numbers.ts"
import { atMost, row } from "./report/Row.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1e6" },
    players: { type: "string", default: "5e4" },
    rounds: { type: "string", default: "7" },
    atLeast: { type: "string", default: "2" },
    directory: { type: "string", default: join(tmpdir(), "gamekeeper-bench-cohorts") }
  }
})

const size: Size = { events: Number(values.events), players: Number(values.players) }
const atLeast = Number(values.atLeast)
const rounds = Number(values.rounds)
const environmentId = EnvironmentId.make(1)
const cohortId = CohortId.make(1)
const last = firstDay + days * day
const window: PlannedWindow = { since: "epoch", from: last - 7 * day, to: last }
const budget = 600_000
const live = "Live"
const settling = 2000

const counted = {
  type: "behaviour",
  measure: "count",
  argument: "",
  zone: "UTC",
  operator: "greaterThanOrEqual",
  window
} as const
const selector = (type: string) => ({ types: [type], filter: unfiltered }) as const

/** At least so many of one marker in the last 7 days, none of another, on some platforms. */
const plan: CohortPlan = {
  op: "and",
  negate: false,
  children: [
    { ...counted, did: true, selector: selector(types[0]!), value: [atLeast, atLeast] },
    { ...counted, did: false, selector: selector(types[9]!), value: [1, 1] },
    {
      type: "property",
      comparison: { source: "property", name: "platform", operator: "isIn", operands: ["ios", "android", "web"] }
    }
  ]
}

/** The same set. */
const sql = `with recent as (
    select unit, count(*) filter (type = '${types[0]}') as did, count(*) filter (type = '${types[9]}') as other
    from events where ts >= ${window.from} and ts < ${window.to} and type in ('${types[0]}', '${types[9]}') group by unit
  ), latest as (select unit, arg_max(platform, (ts, sequence)) as platform from events group by unit)
  select unit from recent join latest using (unit)
  where did >= ${atLeast} and other = 0 and platform in ('ios', 'android', 'web') order by unit`

const unitsOf = async (connection: DuckDBConnection): Promise<ReadonlyArray<string>> =>
  (await connection.runAndReadAll(sql)).getRows().map(([unit]) => String(unit))

/** Batches of a marker that the cohort does not ask about, of units it knows, after everything that is stored. */
function* arriving(): Generator<ReadonlyArray<Event>> {
  for (let batch = 0; ; batch++)
    yield Array.from({ length: 500 }, (_, index) => ({
      markerId: `live-${process.pid}-${batch}-${index}`,
      type: live,
      unitId: `player-${(batch * 500 + index) % size.players}`,
      sessionId: null,
      serverId: null,
      timestamp: last,
      receivedAt: last,
      clamped: false,
      arguments: { level: index },
      properties: {},
      position: null
    }))
}

/** Sends a batch whenever the one before is on disk, until it is told to stop; answers the markers per second. */
const ingesting = (store: Events) => {
  const started = performance.now()
  let isOn = true
  let sent = 0
  const run = async () => {
    for (const batch of arriving()) {
      if (!isOn) return
      await append(store, batch)
      sent += batch.length
    }
  }
  const running = run()
  return async () => {
    isOn = false
    await running
    return Math.round((sent / (performance.now() - started)) * 1000)
  }
}

/** The longest pause of this thread, in milliseconds, while it runs. */
const pausesOf = async (run: () => Promise<unknown>): Promise<number> => {
  const pauses = monitorEventLoopDelay({ resolution: 1 })
  pauses.enable()
  await run()
  pauses.disable()
  return pauses.max / 1e6
}

const nothing: CohortPlan = {
  op: "and",
  negate: false,
  children: [{ ...counted, did: true, selector: selector("Nothing"), value: [1, 1] }]
}

const main = async (): Promise<void> => {
  setup()
  rmSync(values.directory, { recursive: true, force: true })
  mkdirSync(values.directory, { recursive: true })
  const file = join(values.directory, "events.sqlite")
  await loadOurs(file, size, 1000, 8)
  for (const sorted of [false, true]) await loadDuck(join(values.directory, `${sorted}.duckdb`), size, sorted)
  const arrival = await openDuck(join(values.directory, "false.duckdb"), "READ_ONLY")
  const sorted = await openDuck(join(values.directory, "true.duckdb"), "READ_ONLY")
  const store = await openOurs(file)
  await maintain(store)
  const members = cohortMembersSqlite(store, { budget, organizationOf: () => Effect.succeed(undefined) })
  let now = last
  const recompute = (wanted: CohortPlan) =>
    Effect.runPromise(members.recompute(environmentId, cohortId, wanted, ++now).pipe(Effect.orDie))

  const first = await timed(() => recompute(plan))
  const times: Record<string, Array<number>> = { quiet: [], busy: [], sorted: [], arrival: [] }
  // DuckDB too has its data in memory before it counts.
  for (const connection of [sorted, arrival]) await unitsOf(connection)
  for (let round = 0; round < rounds; round++) {
    times["quiet"]!.push(await timed(() => recompute(plan)))
    times["sorted"]!.push(await timed(() => unitsOf(sorted)))
    times["arrival"]!.push(await timed(() => unitsOf(arrival)))
  }
  const stop = ingesting(store)
  await setTimeout(settling)
  const began = performance.now()
  const beside = await pausesOf(async () => {
    for (let round = 0; round < rounds; round++) {
      await recompute(nothing)
      times["busy"]!.push(await timed(() => recompute(plan)))
    }
  })
  const length = performance.now() - began
  const alone = await pausesOf(() => setTimeout(length))
  const rate = await stop()

  const found = await Effect.runPromise(
    members.members(environmentId, cohortId, { at: null, after: null, limit: size.players }).pipe(Effect.orDie)
  )
  const wanted = await unitsOf(sorted)
  const isEqual = JSON.stringify(found.map(({ unitId }) => unitId)) === JSON.stringify(wanted.toSorted())
  const [quiet = [], busy = [], ofSorted = [], ofArrival = []] = [
    times["quiet"],
    times["busy"],
    times["sorted"],
    times["arrival"]
  ]
  const world = `${shown(size.events)} markers, ${shown(size.players)} players, ${shown(found.length)} members`
  const milliseconds = (all: ReadonlyArray<number>) => `${shown(median(all))} ms`
  const what = "Time to compute a cohort again"
  hand([
    row(
      "cohort.different",
      { what: "Members of a cohort that are not DuckDB's", aim: atMost(0) },
      [isEqual ? 0 : Math.max(1, Math.abs(found.length - wanted.length))],
      { note: world }
    ),
    row("cohort.sorted", { what, peer: "DuckDB, sorted by environment, type and time" }, ratios(quiet, ofSorted), {
      note: `${milliseconds(quiet)} and ${milliseconds(ofSorted)}; the first time ${shown(first)} ms`
    }),
    row("cohort.arrival", { what, peer: "DuckDB, in order of arrival" }, ratios(quiet, ofArrival)),
    row(
      "cohort.busy",
      {
        what: "Time to compute a cohort from empty while markers come in",
        peer: "DuckDB sorted, in which nothing comes in"
      },
      ratios(busy, ofSorted),
      { note: `${milliseconds(busy)} at ${shown(rate)} markers/s` }
    ),
    row("cohort.pause", { what: "Longest pause of the calling thread meanwhile", unit: "ms" }, [beside], {
      note: `of the markers alone ${shown(alone)} ms`
    })
  ])
  await close(store)
  rmSync(values.directory, { recursive: true, force: true })
  if (!isEqual) process.exitCode = 1
}

await main()
