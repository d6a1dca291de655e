import { assert } from "@effect/vitest"
import Database from "better-sqlite3"
import { Effect, Layer, Logger } from "effect"
import { mkdirSync, copyFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { checkRepairs } from "../../../src/adapters/sqlite/operations/RepairCheck.ts"
import { caller } from "../Caller.ts"
import { cohortAnalystOf } from "../cohorts/CohortAnalyst.ts"
import { type Laboratory, laboratoryOf, units } from "../experiments/Laboratory.ts"
import { copyFile, type DataFile, dataFiles, folderStores } from "../Folder.ts"
import { shiftedClock } from "../ShiftedClock.ts"
import { type Answer, testApp } from "../TestApp.ts"

const minute = 60_000

/** Longer than what each file knows of the other may go unnoted. */
const untilNoted = 3000

interface Marker {
  readonly unitId: string | null
}

export const serverOn = (folder: string, clock = shiftedClock()) => {
  const logged: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ logLevel, message }) => logged.push(`${logLevel.label} ${String(message)}`))
  )
  const stores = folderStores(folder).pipe(Layer.provide(clock.layer), Layer.provide(logger))
  const app = testApp(stores, {}, Layer.merge(logger, clock.layer))
  return { ...app, clock, logged }
}

type Server = ReturnType<typeof serverOn>

/** Everything that an environment shows, by what every question sees. */
export const markersOf = async (server: Server, lab: Pick<Laboratory, "studio">, environmentId: number) => {
  const found: Array<string> = []
  const to = new Date(Date.now() + 86_400_000)
  let cursor: string | null = null
  do {
    const answer: Answer = await server.request(
      "POST",
      `/application/${lab.studio.applicationId}/analytics/v1/markers/raw`,
      {
        headers: { ...lab.studio.cookie, environment_id: String(environmentId) },
        body: { from: new Date(0), to, limit: 1000, cursor }
      }
    )
    assert.strictEqual(answer.status, 200, answer.text)
    for (const { unitId } of answer.body.items as ReadonlyArray<Marker>) found.push(unitId ?? "")
    cursor = answer.body.nextCursor
  } while (cursor !== null)
  return found
}

export const strangersIn = async (server: Server, lab: Laboratory, name: string) => {
  const all = await Promise.all([lab.studio.development, lab.studio.production].map((id) => markersOf(server, lab, id)))
  return all.flat().filter((unitId) => !unitId.startsWith(name))
}

export const doctorOn = (folder: string) =>
  Effect.runPromise(
    checkRepairs({ metadata: join(folder, "metadata.sqlite"), events: join(folder, "events.sqlite") })
  ).then((all) => all.map(({ isGood, text }) => `${isGood ? "ok" : "BAD"} ${text}`))

const level = (unitId: string) => ({ timestamp: Date.now(), eventName: "Level", distinctId: unitId })

/** A studio with players in an experiment that gives groups in turn, and a cohort of a list. */
const play = async (server: Server, name: string) => {
  const lab = await laboratoryOf(server.request, name)
  const analyst = cohortAnalystOf(server.request, lab.studio)
  const players = units(20, `${name}-`)
  await lab.game.send(players.map(level), { environment: "development" })
  const begun = await lab.begin({ assignmentMode: "roundRobin" })
  await lab.bulk("user", players)
  for (const player of players) await lab.evaluate(begun.configuration.name, player)
  await lab.exposed(begun.path)
  const cohort = await analyst.list("whales", players.slice(0, 5))
  return { lab, analyst, begun, cohort, players }
}

export const groupsOf = async (lab: Laboratory, path: string) => {
  const { items } = (await lab.call("GET", `${path}/assignments?pageSize=1000`)).body
  return Object.fromEntries(
    items.map(({ distinctId, groupId }: { distinctId: string; groupId: number }) => [distinctId, groupId])
  ) as Record<string, number>
}

/** Two copies of each file of a server that goes on writing, a minute apart. */
export const copied = async (parent: string) => {
  const live = join(parent, "live")
  const server = serverOn(live)
  const ada = await play(server, "ada")
  const bea = await play(server, "bea")
  const work = { isOver: false }
  const load = (async () => {
    for (let turn = 0; !work.isOver; turn++) {
      await ada.lab.game.send([level(`ada-${turn % 20}`)])
      await bea.lab.game.send([level(`bea-${turn % 20}`)])
      await setTimeout(20)
    }
  })()
  await setTimeout(untilNoted)
  for (const file of dataFiles) copyFile(file, live, join(parent, "first"))
  server.clock.state.shift += minute

  const cyd = await play(server, "cyd")
  const later = await ada.lab.begin({ assignmentMode: "roundRobin" })
  const more = units(24, "ada-more-")
  for (const player of more) await ada.lab.evaluate(ada.begun.configuration.name, player)
  for (const player of ada.players) await ada.lab.evaluate(later.configuration.name, player)
  await ada.lab.exposed(ada.begun.path)
  await ada.lab.exposed(later.path)
  const laterCohort = await ada.analyst.list("minnows", ada.players.slice(5, 9))
  const gone = "ada-3"
  const erased = await ada.lab.call("DELETE", `/application/${ada.lab.studio.applicationId}/players/${gone}`)
  assert.strictEqual(erased.status, 200)
  const groups = await groupsOf(ada.lab, ada.begun.path)
  server.clock.state.shift += minute
  await setTimeout(untilNoted)
  for (const file of dataFiles) copyFile(file, live, join(parent, "second"))
  work.isOver = true
  await load
  await server.close()
  return { ada, bea, cyd, later, laterCohort, more, gone, groups }
}

type Copied = Awaited<ReturnType<typeof copied>>

export const restored = (parent: string, name: string, from: Record<DataFile, string>) => {
  const folder = join(parent, name)
  mkdirSync(folder)
  for (const file of dataFiles) copyFileSync(join(parent, from[file], file), join(folder, file))
  return folder
}

export const on = (server: Server, { lab }: { readonly lab: Laboratory }) => ({
  call: caller(server.request, { ...lab.studio.cookie, environment_id: String(lab.studio.development) }),
  analyst: cohortAnalystOf(server.request, lab.studio),
  evaluate: async (configuration: string, distinctId: string) =>
    (
      await server.request("POST", "/sdk/v2/configurations/evaluate", {
        headers: { authorization: `Bearer ${lab.game.publicKey}`, environment: "development" },
        body: { configuration, unit: { type: "user", distinctId }, context: { schemaVersion: 1, properties: {} } }
      })
    ).body
})

export const agreesOnMembers = async (server: Server, studio: Copied["ada"]) => {
  const { call, analyst } = on(server, studio)
  const { body } = await call("GET", `/application/${studio.lab.studio.applicationId}/analytics/v1/cohorts`)
  for (const { id, memberCount } of body as ReadonlyArray<{ id: number; memberCount: number }>)
    assert.strictEqual((await analyst.unitIds(id)).length, memberCount)
}

/** The names of all configurations that a data folder has. */
export const configurationNames = (folder: string) => {
  const database = new Database(join(folder, "metadata.sqlite"), { readonly: true })
  const names = database.prepare<[], string>("select name from configurations").pluck().all()
  database.close()
  return names
}

/** The numbers after `prefix` in texts that begin with it. */
export const numbersAfter = (prefix: string, texts: ReadonlyArray<string>) =>
  texts.filter((text) => text.startsWith(prefix)).map((text) => Number(text.slice(prefix.length)))
