// Requests to every operation of the contract, seeded, in slices: each slice has a server of its own, so memory stays bounded and a
// failure is repeated by its slice alone.
import { Cause, Logger, LogLevel } from "effect"
import { setImmediate } from "node:timers/promises"
import { parseArgs } from "node:util"
import { openApp } from "../support/App.ts"
import { stores } from "../support/Stores.ts"
import { mixture } from "./Attempt.ts"
import type { Played } from "./Player.ts"
import { described, Player } from "./Player.ts"

const sliceSize = 2000
/** Requests after which the tenant's account, organization and project are looked for. */
const lookEvery = 25
const mostShown = 20

interface Slice {
  readonly statuses: ReadonlyArray<number>
  readonly failures: ReadonlyArray<Failure>
}

interface Failure extends Played {
  /** Place of the request in its slice. */
  readonly index: number
  /** What the server wrote into its log meanwhile. */
  readonly logged: ReadonlyArray<string>
}

const { values } = parseArgs({
  options: { requests: { type: "string", default: "10000" }, seed: { type: "string", default: "1" } }
})
const [requests, firstSeed] = [Number(values.requests), Number(values.seed)]
if (!(Number.isSafeInteger(requests) && requests > 0 && Number.isSafeInteger(firstSeed) && firstSeed >= 0)) {
  throw new Error("Usage: npm run fuzz -- --requests 10000 --seed 1")
}

const storeOf = (seed: number) => stores[seed % stores.length] ?? stores[0]

const logged: Array<string> = []

const noteErrors = Logger.make(({ logLevel, message, cause }) => {
  if (LogLevel.greaterThanEqual(logLevel, LogLevel.Error)) logged.push(`${String(message)} ${Cause.pretty(cause)}`)
})

const playSlice = async (seed: number, count: number): Promise<Slice> => {
  const { request, close } = openApp(storeOf(seed)[1], {}, Logger.replace(Logger.defaultLogger, noteErrors))
  const player = new Player(request)
  const statuses: Array<number> = []
  const failures: Array<Failure> = []
  await player.begin()
  for (const [index, attempt] of mixture(seed, sliceSize).slice(0, count).entries()) {
    if (index % lookEvery === 0) await player.recover()
    logged.length = 0
    const played = await player.play(attempt)
    statuses.push(played.status)
    if (played.complaint !== undefined) failures.push({ ...played, index, logged: [...logged] })
    await setImmediate()
  }
  await close()
  return { statuses, failures }
}

const tally = (statuses: ReadonlyArray<number>): string => {
  const counts = new Map<number, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ")
}

const report = (seed: number, failure: Failure, isFirst: boolean) => {
  console.log(`FAILED  request ${failure.index} of seed ${seed}: ${failure.complaint}`)
  console.log(`        ${described(failure, isFirst ? 4000 : 300)}`)
  for (const line of failure.logged) console.log(`        ${line.slice(0, 2000)}`)
  console.log(`        repeat: npm run fuzz -- --seed ${seed} --requests ${failure.index + 1}`)
}

const all: Array<number> = []
let failed = 0
const began = performance.now()
for (let seed = firstSeed, sent = 0; sent < requests; seed++, sent += sliceSize) {
  const start = performance.now()
  const { statuses, failures } = await playSlice(seed, Math.min(sliceSize, requests - sent))
  all.push(...statuses)
  for (const failure of failures) if (++failed <= mostShown) report(seed, failure, failed === 1)
  const rate = Math.round((statuses.length * 1000) / (performance.now() - start))
  const memory = Math.round(process.memoryUsage.rss() / 1e6)
  console.log(
    `${all.length} of ${requests} requests, seed ${seed} over ${storeOf(seed)[0]}: ${rate}/s, ${memory} MB, ${failed} failures`
  )
}
const seconds = (performance.now() - began) / 1000
console.log(`by status: ${tally(all)}`)
console.log(
  `${all.length} requests in ${seconds.toFixed(0)} s (${Math.round(all.length / seconds)}/s), ${failed} failures`
)
process.exitCode = failed === 0 ? 0 : 1
