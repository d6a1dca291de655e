import { parseArgs } from "node:util"
import { Control } from "../../src/adapters/sqlite/events/read/Control.ts"
import { openForWriting } from "../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Reader } from "../../src/adapters/sqlite/events/threads/Reader.ts"
import { Writer } from "../../src/adapters/sqlite/events/write/Writer.ts"
import { unfiltered } from "../../src/domain/analytics/filter/Filter.ts"
import type { FunnelPlan } from "../../src/domain/analytics/funnel/FunnelPlan.ts"
import { seeded } from "../support/Seeded.ts"
import { hand } from "./report/Hand.ts"
import { ratios, shown } from "./report/Numbers.ts"
import { row } from "./report/Row.ts"

const { values: asked } = parseArgs({
  options: { units: { type: "string", default: "2000" }, rounds: { type: "string", default: "3" } }
})

/** A funnel of 20 steps over 240,000 markers with 31 values of an argument: what attribution to all of them costs beside the first. */
const [markers, steps, values, units] = [240_000, 20, 31, Number(asked.units)]
const origin = Date.UTC(2026, 0, 1)
const random = seeded(1)
const below = (end: number): number => Math.floor(random() * end)

const db = openForWriting(":memory:")
const writer = new Writer(db, { dedupeDays: 7, ownSegmentRows: 1000, sealAt: 65_536 })
for (let sent = 0; sent < markers; sent += 5000) {
  const events = Array.from({ length: 5000 }, (_, at) => ({
    markerId: `00000000-0000-4000-8000-${String(sent + at).padStart(12, "0")}`,
    type: `step${below(steps)}`,
    unitId: `u${below(units)}`,
    sessionId: null,
    serverId: null,
    timestamp: origin + Math.floor(((sent + at) / markers) * 30 * 86_400_000),
    receivedAt: origin,
    clamped: false,
    arguments: { value: below(values) },
    properties: {},
    position: null
  }))
  writer.commit([{ environmentId: 1, frame: encodeFrame(origin, events) }])
}
for (const job of [writer.seal(), writer.seal(), writer.compact()]) while (job.next().done !== true);

const plan = (attribution: FunnelPlan["attribution"]): FunnelPlan => ({
  range: { from: origin, to: origin + 30 * 86_400_000 },
  steps: Array.from({ length: steps }, (_, step) => ({
    selector: { types: [`step${step}`] as const, filter: unfiltered },
    optional: false
  })),
  order: "ordered",
  window: 30 * 86_400_000,
  exclusions: [],
  holdConstant: [],
  filter: unfiltered,
  breakdowns: [{ source: "argument", name: "value" }],
  breakdownLimit: 100,
  attribution,
  overTime: null
})

const reader = new Reader(db, { cacheBytes: 256_000_000 })
const times: Record<"first" | "all", Array<number>> = { first: [], all: [] }
for (let round = -1; round < Number(asked.rounds); round++) {
  for (const type of ["first", "all"] as const) {
    const started = performance.now()
    const question = { kind: "funnel" as const, plan: plan({ type }) }
    const reply = reader.reply({ type: "ask", id: 1, environmentId: 1, question, control: new Control().shared })
    if (reply.type !== "answer") throw new Error(`The funnel was not answered: ${reply.type}`)
    // The first turn compiles.
    if (round >= 0) times[type].push(performance.now() - started)
  }
}
const what = `Time of a funnel of ${steps} steps over ${shown(markers)} markers, attributed to all ${values} values`
hand([row("attribution", { what, peer: "attributed to the first value" }, ratios(times.all, times.first))])
