// How long it takes from the start of the built server to its first answers on a folder with markers, beside the first release; and what memory
// it takes at rest and while the heaviest questions are asked.
import { cpSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { withFolder } from "../support/Server.ts"
import { setup } from "../support/Workers.ts"
import { askerOf, serveDashboard, settled, type Started, startOn, untilIdle } from "./folders/DataFolder.ts"
import { buildFirstRelease, firstReleaseMain, folderOfFirstRelease } from "./folders/FirstRelease.ts"
import { askOverHttp, heavyQuestions } from "./HeavyQuestions.ts"
import { forgetPeak, peakMb, residentMb } from "./Memory.ts"
import { hand } from "./report/Hand.ts"
import { held } from "./report/MustHold.ts"
import { median, ratios, shown } from "./report/Numbers.ts"
import { row } from "./report/Row.ts"
import { benchFolder, loadOwn, storesOf } from "./folders/Stores.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1e7" },
    rounds: { type: "string", default: "5" },
    idle: { type: "string", default: "60" },
    directory: { type: "string", default: benchFolder },
    baseline: { type: "string", default: "yes" }
  }
})
const rounds = Number(values.rounds)
const stores = storesOf(Number(values.events), values.directory)
const megabytes = 256

type Start = Pick<Started, "request" | "question">

/** A side of the comparison: starts of one build on its own copy of its own folder. */
interface Side {
  readonly begin: () => Promise<Start>
  readonly starts: Array<Start>
}

const sideOf = async (data: string, main?: string): Promise<Side> => {
  const cookie = await settled(data, main)
  const begin = async () => {
    const { request, question, stop } = await startOn(data, cookie, [], main)
    await stop()
    return { request, question }
  }
  return { begin, starts: [] }
}

const copied = (from: string, to: string): string => {
  cpSync(from, to, { recursive: true })
  return to
}

/** The first release on a folder of its own, or why there is none. */
const firstRelease = async (folder: string): Promise<Side | string> => {
  if (values.baseline === "no") return "the first release was left out"
  try {
    buildFirstRelease()
    return await sideOf(copied(await folderOfFirstRelease(stores.size), join(folder, "first")), firstReleaseMain)
  } catch (cause) {
    return `the first release could not be built: ${String(cause).split("\n")[0]}`
  }
}

const measureStarts = async (folder: string): Promise<void> => {
  const ours = await sideOf(copied(stores.data, join(folder, "ours")))
  const first = await firstRelease(folder)
  if (typeof first === "string") console.log(first)
  const sides = typeof first === "string" ? [ours] : [ours, first]
  for (let round = 0; round < rounds; round++) for (const side of sides) side.starts.push(await side.begin())
  const seconds = (side: Side, of: keyof Start) => side.starts.map((start) => start[of] / 1000)
  for (const of of ["request", "question"] as const) {
    const own = seconds(ours, of)
    const what = `Start to the first answered ${of}, ${shown(stores.size.events)} markers`
    hand([row(`start.${of}.seconds`, { what, unit: "s" }, own)])
    if (typeof first === "string") continue
    const theirs = seconds(first, of)
    const note = `${shown(median(own))} s and ${shown(median(theirs))} s`
    hand([held(`start.${of}`, ratios(own, theirs), { value: median(own) / median(theirs), note })])
  }
}

const measureMemory = async (folder: string): Promise<void> => {
  const data = copied(stores.data, join(folder, "memory"))
  const cookie = await settled(data)
  const [idle, taken]: [Array<number>, Array<number>] = [[], []]
  const peaks: Array<number> = []
  for (let round = 0; round < Math.min(3, rounds); round++) {
    const { url, pid, stop } = await startOn(data, null, ["--analytics-memory-mb", String(megabytes)])
    await serveDashboard(url)
    await untilIdle(pid, 60)
    await new Promise((resolve) => setTimeout(resolve, Number(values.idle) * 1000))
    idle.push(residentMb(pid))
    forgetPeak(pid)
    for (let turn = 0; turn < 4; turn++) {
      const all = heavyQuestions(turn)
      if (turn < 2) for (const [kind, body] of all) await askOverHttp(askerOf(url, cookie), kind, body)
      else await Promise.all(all.map(([kind, body]) => askOverHttp(askerOf(url, cookie), kind, body)))
    }
    peaks.push(peakMb(pid))
    taken.push((peaks.at(-1) ?? 0) - (idle.at(-1) ?? 0))
    await stop()
  }
  const note = `${shown(median(peaks))} MB in all; ${shown(stores.size.events)} markers`
  const rest = values.idle === "60" ? "" : `after ${values.idle} s only`
  hand([
    held("memory.idle", idle, { note: rest }),
    held("memory.questions", taken, { value: Math.max(...taken), note })
  ])
}

setup()
await loadOwn(stores)
await withFolder(measureStarts)
await withFolder(measureMemory)
process.exit()
