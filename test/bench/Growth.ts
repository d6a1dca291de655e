// How everything grows with the number of markers: questions, ingest, start, disk and memory at several sizes, and the exponent of each between
// them: 1 is linear, 0 does not grow. `--sizes 1e6,1e7,3e7,1e8`; the largest may take an hour, and its markers are made as they are sent.
import { spawnSync } from "node:child_process"
import { cpSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { table } from "../../schema/MarkdownTable.ts"
import { withFolder } from "../support/Server.ts"
import { setup } from "../support/Workers.ts"
import { settled, startOn } from "./folders/DataFolder.ts"
import { peakMb } from "./Memory.ts"
import { ask, close } from "./Ours.ts"
import { questions } from "./Questions.ts"
import { hand } from "./report/Hand.ts"
import { exponents, fittedExponent, median, type Point, shown, timed } from "./report/Numbers.ts"
import { type Aim, atMost, below, row } from "./report/Row.ts"
import { benchFolder, loadOwn, openOwn, sizeOf, storesOf } from "./folders/Stores.ts"

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "1e6,1e7,3e7,1e8" },
    rounds: { type: "string", default: "5" },
    directory: { type: "string", default: benchFolder },
    /** Removes the markers of a size when it is measured: 100 M of them take 4 GB. */
    remove: { type: "boolean", default: false },
    measure: { type: "string" }
  }
})
const rounds = Number(values.rounds)
const sizes = values.sizes.split(",").map(Number)

/** What growth must stay below linear: daily active users of any marker, and retention of any marker. */
const belowLinear = new Set([6, 11])
const names = questions(1000).map(({ name }) => name)

/** Of one size. Times in milliseconds. */
interface Size {
  readonly questions: ReadonlyArray<number>
  readonly memory: number
  readonly ingest: number
  readonly start: number
  readonly disk: number
}

/** In a process of its own, whose memory is then that of the questions alone: prints the median time of each, and the peak of the memory. */
const measure = async (events: number): Promise<void> => {
  const stores = storesOf(events, values.directory)
  const store = await openOwn(stores)
  const medians: Array<number> = []
  for (const { question } of questions(sizeOf(events).players)) {
    // The first two do not count: they decode and compile.
    for (let turn = 0; turn < 2; turn++) await ask(store, question)
    const times: Array<number> = []
    for (let round = 0; round < rounds; round++) times.push(await timed(() => ask(store, question)))
    medians.push(median(times))
  }
  console.log(JSON.stringify({ questions: medians, memory: peakMb(process.pid) }))
  await close(store)
}

const inProcess = (events: number): Pick<Size, "questions" | "memory"> => {
  const args = ["--import", "tsx", process.argv[1] ?? "", "--directory", values.directory, "--rounds", values.rounds]
  const ended = spawnSync(process.execPath, [...args, "--measure", String(events)], { encoding: "utf8" })
  if (ended.status !== 0) throw new Error(ended.stderr)
  return JSON.parse(ended.stdout)
}

const startsOf = (data: string): Promise<number> =>
  withFolder(async (folder) => {
    const copy = join(folder, "data")
    cpSync(data, copy, { recursive: true })
    const cookie = await settled(copy)
    const times: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      const { question, stop } = await startOn(copy, cookie)
      times.push(question)
      await stop()
    }
    return median(times)
  })

const sizeAt = async (events: number): Promise<Size> => {
  const stores = storesOf(events, values.directory)
  const { ourMilliseconds, bytesWithin } = await loadOwn(stores)
  console.log(`${shown(events)} markers are there, ${shown(events / ourMilliseconds)} k/s`)
  const asked = inProcess(events)
  const start = await startsOf(stores.data)
  if (values.remove) rmSync(join(stores.data, ".."), { recursive: true, force: true })
  return { ...asked, start, ingest: ourMilliseconds, disk: bytesWithin * events }
}

/** Exponents are told, and judged, to a tenth: the machine does not measure the second digit. */
const toTenth = (value: number): number => Math.round(value * 10) / 10 + 0

interface Grown {
  readonly id: string
  readonly what: string
  readonly unit: string
  readonly aim: Aim
  readonly costs: ReadonlyArray<number>
}

const tell = (all: ReadonlyArray<Size>): void => {
  const linear = atMost(1)
  const grown: ReadonlyArray<Grown> = [
    ...names.map((what, at) => ({
      id: `question.${at + 1}`,
      what: `Warm question: ${what}`,
      unit: "ms",
      aim: belowLinear.has(at) ? below(1) : linear,
      costs: all.map((each) => each.questions[at] ?? Number.NaN)
    })),
    {
      id: "ingest",
      what: "Markers into the store",
      unit: "s",
      aim: linear,
      costs: all.map(({ ingest }) => ingest / 1000)
    },
    {
      id: "start",
      what: "Start to the first answered question",
      unit: "s",
      aim: linear,
      costs: all.map(({ start }) => start / 1000)
    },
    { id: "disk", what: "Disk", unit: "MB", aim: linear, costs: all.map(({ disk }) => disk / 1e6) },
    { id: "memory", what: "Memory while asked", unit: "MB", aim: linear, costs: all.map(({ memory }) => memory) }
  ]
  const points = ({ costs }: Grown): ReadonlyArray<Point> =>
    costs.map((cost, at) => ({ size: sizes[at] ?? Number.NaN, cost }))
  const done = sizes.slice(0, all.length)
  const between = done.slice(1).map((size, at) => `${shown(done[at] ?? 0)} → ${shown(size)}`)
  const lines = grown.map((each) => [
    each.what,
    ...each.costs.map((cost) => `${shown(cost)} ${each.unit}`),
    ...exponents(points(each)).map((exponent) => exponent.toFixed(2))
  ])
  const title = "Growth: costs at each number of markers, and the exponent between two (1 is linear)"
  const heads = ["what", ...done.map(shown), ...between]
  if (done.length < 2) {
    console.log(table(heads, lines))
    return
  }
  const rowOf = (each: Grown) => {
    const what = `Growth, greatest exponent between two sizes: ${each.what}`
    return row(`growth.${each.id}`, { what, aim: each.aim }, exponents(points(each)), {
      value: toTenth(Math.max(...exponents(points(each)))),
      note: `${each.costs.map(shown).join(" → ")} ${each.unit}; rounds are the steps between sizes, all of them together give ${fittedExponent(points(each)).toFixed(2)}`
    })
  }
  hand(grown.map(rowOf), [{ title, heads, lines }])
}

if (values.measure === undefined) {
  setup()
  const all: Array<Size> = []
  for (const events of sizes) {
    all.push(await sizeAt(events))
    // The largest may fail after an hour: what the others gave is told before.
    tell(all)
  }
} else await measure(Number(values.measure))
process.exit()
