import { inlineThreads } from "../../../src/adapters/sqlite/events/threads/InlineThreads.ts"
import { cpSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { NodeContext } from "@effect/platform-node"
import { Layer, Logger, LogLevel } from "effect"
import { defaults } from "../../../src/app/Config.ts"
import { FolderStores } from "../../../src/app/stores/FolderStores.ts"
import { cohortAnalystOf } from "../cohorts/CohortAnalyst.ts"
import { laboratoryOf } from "../experiments/Laboratory.ts"
import { seeded } from "../Seeded.ts"
import { type Answer, openApp } from "../App.ts"
import type { Request } from "../access/Studio.ts"

export const databases = ["events.sqlite", "metadata.sqlite"] as const
const suffixes = ["", "-wal", "-sums"] as const

/** A server over the two databases of a folder, without threads, and the errors that it logs. */
export const serverOver = (folder: string) => {
  const errors: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ logLevel, message }) => {
      if (LogLevel.greaterThanEqual(logLevel, LogLevel.Error)) errors.push(String(message))
    })
  )
  const stores = FolderStores({ ...defaults, data: folder }, { threads: inlineThreads, metadata: null }).pipe(
    Layer.provide(NodeContext.layer),
    Layer.provide(logger)
  )
  return { ...openApp(stores, { retentionDays: 36_500 }, logger), errors }
}

/** The databases of a folder in another one, which is made anew. */
export const copyFolder = (from: string, to: string): void => {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  for (const name of databases)
    for (const suffix of suffixes)
      if (existsSync(join(from, `${name}${suffix}`)))
        cpSync(join(from, `${name}${suffix}`), join(to, `${name}${suffix}`))
}

const start = Date.parse("2026-03-02T00:00:00Z")
const hour = 3_600_000
const random = seeded(11)
const within = (count: number) => Math.floor(random() * count)

const markersOf = (count: number, first: number) =>
  Array.from({ length: count }, (_, at) => ({
    markerId: `00000000-0000-4000-8000-${String(first + at).padStart(12, "0")}`,
    timestamp: start + within(10 * 24) * hour,
    type: ["Level", "Buy", "Death"][within(3)],
    userId: `player ${within(80)}`,
    sessionId: `session ${within(300)}`,
    value: { weapon: ["bow", "sword", "axe"][within(3)], gold: within(1000), tag: `tag ${within(500)}` },
    properties: { position: [within(9), within(9), within(9)], platform: ["ios", "android"][within(2)] }
  }))

const inBatches = async (send: (markers: ReadonlyArray<object>) => Promise<Answer>, markers: ReadonlyArray<object>) => {
  for (let at = 0; at < markers.length; at += 250) {
    const { status, text } = await send(markers.slice(at, at + 250))
    if (status !== 200) throw new Error(text)
  }
}

const bounds = { pointA: { x: 8, y: 0, z: 8 }, pointB: { x: 0, y: 8, z: 0 } }

/**
 * Fills a folder with a studio's data of every kind: markers sealed and in the tail, a list of members, configurations, an experiment
 * with assignments. `closed` gets the folder as a clean end leaves it, `killed` as a kill does a while later, with both logs.
 */
export const buildWorld = async (folder: string) => {
  const [live, closed, killed] = ["live", "closed", "killed"].map((name) => join(folder, name))
  if (live === undefined || closed === undefined || killed === undefined) throw new Error("Three folders are needed")
  mkdirSync(live)
  const first = serverOver(live)
  const laboratory = await laboratoryOf(first.request, "ada")
  const { studio, game } = laboratory
  const sealed = markersOf(3000, 1)
  await inBatches(game.send, sealed)
  const { body: heatmap } = await first.request("POST", `/application/${studio.applicationId}/analytics/v1/heatmaps`, {
    headers: studio.cookie,
    body: { name: "Map", bounds, resolutionFactor: 1 / 16 }
  })
  const cohort = await cohortAnalystOf(first.request, studio).list(
    "Payers",
    Array.from({ length: 40 }, (_, at) => `player ${at * 2}`)
  )
  const { configuration, path } = await laboratory.begin()
  const players = Array.from({ length: 30 }, (_, at) => `player ${at}`)
  for (const player of players) await laboratory.evaluate(configuration.name, player)
  await laboratory.exposed(path)
  await first.close()
  copyFolder(live, closed)

  const second = serverOver(live)
  const tail = markersOf(600, 10_001)
  const send = (markers: ReadonlyArray<object>) =>
    second.request("POST", "/sdk/v1/markers", { headers: { authorization: game.publicKey }, body: { markers } })
  await inBatches(send, tail)
  for (let at = 0; at < 20; at++)
    await second.request("PATCH", `/application/${studio.applicationId}/v2/configuration/${configuration.id}`, {
      headers: studio.cookie,
      body: { changes: [{ op: "set", path: ["price"], value: 100 + at }] }
    })
  // The length of the metadata's log is noted ten times a second.
  await new Promise((resolve) => setTimeout(resolve, 400))
  copyFolder(live, killed)
  await second.close()
  const again = { closed: sealed.slice(100, 350), killed: [...sealed.slice(0, 100), ...tail.slice(400, 550)] }
  return { closed, killed, studio, game, heatmap, cohort, configuration, path, players, again }
}

export type DamageWorld = Awaited<ReturnType<typeof buildWorld>>

const time = { step: "day", timezone: "UTC", from: "2026-03-01T00:00:00Z", to: "2026-03-13T00:00:00Z" }
const metric = (id: string, name: string, type = "totalEvents", more: object = {}) => ({
  id,
  visible: true,
  data: { name, type },
  ...more
})

/** What costs and clocks change is no part of an answer. */
const essence = ({ status, body, text }: Answer): string => {
  if (status !== 200 || body === undefined) return `${status} ${text}`
  return JSON.stringify(body, (key, value: unknown) =>
    ["elapsedMs", "asOf", "cached", "rowsScanned", "lastUsedAt", "daysElapsed", "daysExposed", "daysLeft"].includes(key)
      ? undefined
      : value
  )
}

export interface Heard {
  readonly essence: string
  /** Whether the answer says that it is none, or what it lacks. */
  readonly isTold: boolean
}

/** The answers of a server to questions of every kind, or to those chosen, by name. */
export const answersOf = async (
  world: DamageWorld,
  base: "closed" | "killed",
  request: Request,
  isChosen: (name: string) => boolean = () => true
) => {
  const { studio, game, heatmap, cohort, configuration, path, players } = world
  const headers = { ...studio.cookie, environment_id: String(studio.development) }
  const application = `/application/${studio.applicationId}`
  const query = (kind: string, body: object) =>
    request("POST", `${application}/analytics/v1/queries/${kind}/execute`, { headers, body })
  const get = (route: string) => request("GET", `${application}/${route}`, { headers })
  const sdk = (route: string, body?: object) =>
    request(body === undefined ? "GET" : "POST", `/sdk/${route}`, {
      headers: { authorization: game.publicKey, environment: "development" },
      ...(body === undefined ? {} : { body })
    })
  const byWeapon = { breakdowns: [{ source: "argument", name: "weapon" }] }
  const questions: Readonly<Record<string, () => Promise<Answer>>> = {
    totals: () => query("insights", { time, metrics: ["Level", "Buy", "Death"].map((type) => metric(type, type)) }),
    uniques: () => query("insights", { time, metrics: [metric("A", "Level", "uniqueUsers")], ...byWeapon }),
    tags: () =>
      query("insights", {
        time,
        metrics: [metric("A", "Buy")],
        breakdowns: [{ source: "argument", name: "tag" }],
        breakdownLimit: 100
      }),
    funnel: () =>
      query("funnels", {
        time,
        steps: ["Level", "Buy", "Death"].map((name, at) => ({ id: `${at}`, name })),
        conversionWindow: { value: 3, step: "day" }
      }),
    retention: () =>
      query("retention", { time, start: { name: "Level" }, return: { name: "Buy" }, interval: "day", intervals: 5 }),
    heatmap: () => query("heatmaps", { time, metrics: [metric("A", "Death")], heatmapData: { id: heatmap.id } }),
    types: () => get("analytics/v1/markers/types"),
    ...Object.fromEntries(
      [3, 27, 51, 79].map((at) => [`player ${at}`, () => get(`players/${encodeURIComponent(`player ${at}`)}`)])
    ),
    export: () => get(`players/${encodeURIComponent("player 12")}/export`),
    cohort: () => get(`analytics/v1/cohorts/${cohort.id}/members?limit=100`),
    results: () => request("GET", `${path}/results`, { headers }),
    assignments: () => request("GET", `${path}/assignments?pageSize=1000`, { headers }),
    configuration: () => get(`v2/configuration/${configuration.id}`),
    bootstrap: () => sdk("v2/bootstrap"),
    ...Object.fromEntries(
      players.map((distinctId) => [
        `evaluation of ${distinctId}`,
        () =>
          sdk("v2/configurations/evaluate", {
            configuration: configuration.name,
            unit: { type: "user", distinctId },
            context: { schemaVersion: 1, properties: {} }
          })
      ])
    ),
    "markers sent again": () => sdk("v1/markers", { markers: world.again[base] }),
    "totals afterwards": () =>
      query("insights", { time, metrics: ["Level", "Buy", "Death"].map((type) => metric(type, type)) })
  }
  const heard: Record<string, Heard> = {}
  for (const [name, ask] of Object.entries(questions)) {
    if (!isChosen(name)) continue
    const answer = await ask()
    const isIncomplete = answer.body?.meta?.incomplete !== undefined
    const isUncounted = name === "types" && answer.status === 200 && answer.body[0]?.perDay30.length === 0
    heard[name] = { essence: essence(answer), isTold: answer.status >= 500 || isIncomplete || isUncounted }
  }
  return heard
}
