import { assert, describe, it } from "@effect/vitest"
import { NodeContext } from "@effect/platform-node"
import { Effect, Layer, Logger } from "effect"
import { mkdirSync, copyFileSync, existsSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { checkRepairs } from "../../src/adapters/sqlite/operations/RepairCheck.ts"
import { accept } from "../../src/adapters/sqlite/operations/Accept.ts"
import { Maintenance } from "../../src/services/operations/Maintenance.ts"
import { Retention } from "../../src/services/operations/Retention.ts"
import { EventStore } from "../../src/ports/analytics/EventStore.ts"
import { EnvironmentId } from "../../src/domain/Ids.ts"
import { caller } from "../support/Caller.ts"
import { cohortAnalystOf } from "../support/cohorts/CohortAnalyst.ts"
import { type Laboratory, laboratoryOf, units } from "../support/experiments/Laboratory.ts"
import { copyFile, type DataFile, dataFiles, folderStores } from "../support/Folder.ts"
import { withFolder } from "../support/Server.ts"
import { shiftedClock } from "../support/ShiftedClock.ts"
import { type Answer, testApp } from "../support/TestApp.ts"

const minute = 60_000

/** Longer than what each file knows of the other may go unnoted. */
const untilNoted = 3000

interface Marker {
  readonly unitId: string | null
}

const serverOn = (folder: string, clock = shiftedClock()) => {
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
const markersOf = async (server: Server, lab: Pick<Laboratory, "studio">, environmentId: number) => {
  const found: Array<string> = []
  let cursor: string | null = null
  do {
    const answer: Answer = await server.request(
      "POST",
      `/application/${lab.studio.applicationId}/analytics/v1/markers/raw`,
      {
        headers: { ...lab.studio.cookie, environment_id: String(environmentId) },
        body: { from: new Date(0), to: new Date(Date.now() + 86_400_000), limit: 1000, cursor }
      }
    )
    assert.strictEqual(answer.status, 200, answer.text)
    for (const { unitId } of answer.body.items as ReadonlyArray<Marker>) found.push(unitId ?? "")
    cursor = answer.body.nextCursor
  } while (cursor !== null)
  return found
}

const strangersIn = async (server: Server, lab: Laboratory, name: string) => {
  const all = await Promise.all([lab.studio.development, lab.studio.production].map((id) => markersOf(server, lab, id)))
  return all.flat().filter((unitId) => !unitId.startsWith(name))
}

const doctorOn = (folder: string) =>
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

const groupsOf = async (lab: Laboratory, path: string) => {
  const { items } = (await lab.call("GET", `${path}/assignments?pageSize=1000`)).body
  return Object.fromEntries(
    items.map(({ distinctId, groupId }: { distinctId: string; groupId: number }) => [distinctId, groupId])
  ) as Record<string, number>
}

/** Two copies of each file of a server that goes on writing, a minute apart. */
const copied = async (parent: string) => {
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

const restored = (parent: string, name: string, from: Record<DataFile, string>) => {
  const folder = join(parent, name)
  mkdirSync(folder)
  for (const file of dataFiles) copyFileSync(join(parent, from[file], file), join(folder, file))
  return folder
}

const on = (server: Server, { lab }: { readonly lab: Laboratory }) => ({
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

const agreesOnMembers = async (server: Server, studio: Copied["ada"]) => {
  const { call, analyst } = on(server, studio)
  const { body } = await call("GET", `/application/${studio.lab.studio.applicationId}/analytics/v1/cohorts`)
  for (const { id, memberCount } of body as ReadonlyArray<{ id: number; memberCount: number }>)
    assert.strictEqual((await analyst.unitIds(id)).length, memberCount)
}

describe("I2: restoring copies of two times", () => {
  it("mixes no tenants, experiments and cohorts, whichever file is older", () =>
    withFolder(async (parent) => {
      const world = await copied(parent)
      const { ada, bea, cyd, gone, groups } = world

      const older = restored(parent, "older metadata", { "metadata.sqlite": "first", "events.sqlite": "second" })
      const first = serverOn(older)
      const dot = await laboratoryOf(first.request, "dot")
      assert.isAbove(Math.min(dot.studio.development, dot.studio.production), cyd.lab.studio.development)
      assert.deepStrictEqual(await strangersIn(first, dot, "dot"), [])
      assert.deepStrictEqual(await strangersIn(first, ada.lab, "ada"), [])
      assert.deepStrictEqual(await strangersIn(first, bea.lab, "bea"), [])
      const adaNow = on(first, ada)
      for (const [player, groupId] of Object.entries(groups)) {
        const { experiments } = await adaNow.evaluate(ada.begun.configuration.name, player)
        assert.deepStrictEqual([player, experiments[0].groupId], [player, groupId])
      }
      const fresh = await adaNow.analyst.list("newcomers", ["ada-19"])
      assert.isAbove(fresh.id, world.laterCohort.id)
      assert.deepStrictEqual(await adaNow.analyst.unitIds(fresh.id), ["ada-19"])
      const player = await adaNow.call("GET", `/application/${ada.lab.studio.applicationId}/players/${gone}`)
      assert.strictEqual(player.status, 404)
      assert.notInclude(Object.keys(await groupsOf({ ...ada.lab, call: adaNow.call }, ada.begun.path)), gone)
      const document = await adaNow.call("POST", `${ada.lab.root}/configuration`, {
        name: "new",
        configuration: { price: 1 }
      })
      const another = await adaNow.call("POST", `${ada.lab.root}/experiments`, ada.lab.plan(document.body.id))
      assert.strictEqual(another.status, 201, another.text)
      assert.isAbove(another.body.id, world.later.experiment.id)
      await agreesOnMembers(first, ada)
      await first.run(
        Effect.provide(
          Effect.flatMap(Maintenance, (maintenance) => maintenance.run()),
          Maintenance.Default.pipe(Layer.provide(Retention.Default))
        )
      )
      const aside = await first.run(
        Effect.flatMap(EventStore, (events) =>
          events.ask(EnvironmentId.make(cyd.lab.studio.development), { kind: "types", plan: { now: 0 } })
        )
      )
      assert.isAbove(aside.answer.length, 0)
      assert.isTrue(first.logged.some((line) => line.startsWith("ERROR metadata.sqlite is an older copy")))
      await first.close()
      const listed = await doctorOn(older)
      assert.match(listed.join("\n"), /BAD .*metadata\.sqlite is an older copy.*keys that were revoked/)
      assert.match(listed.join("\n"), new RegExp(`holds environment ${cyd.lab.studio.development}, which`))
      assert.match(listed.join("\n"), new RegExp(`cohort ${world.laterCohort.id}, which`))
      assert.match(listed.join("\n"), /1 player of environment \d+, erased after the copy of metadata\.sqlite/)
      assert.match(listed.join("\n"), /24 units got back the group|\d+ units got back the group/)

      const newer = restored(parent, "older events", { "metadata.sqlite": "second", "events.sqlite": "first" })
      const second = serverOn(newer)
      const adaThen = on(second, ada)
      assert.deepStrictEqual(await strangersIn(second, ada.lab, "ada"), [])
      assert.deepStrictEqual(await strangersIn(second, bea.lab, "bea"), [])
      assert.deepStrictEqual(await strangersIn(second, cyd.lab, "cyd"), [])
      assert.strictEqual(
        (await adaThen.call("GET", `/application/${ada.lab.studio.applicationId}/players/${gone}`)).status,
        404
      )
      for (const unit of [...ada.players, ...world.more]) await adaThen.evaluate(ada.begun.configuration.name, unit)
      await setTimeout(200)
      const exposed = (await markersOf(second, ada.lab, ada.lab.studio.development)).filter((each) =>
        each.startsWith("ada-more-")
      )
      assert.strictEqual(new Set(exposed).size, world.more.length)
      await agreesOnMembers(second, ada)
      assert.isTrue(second.logged.some((line) => /^ERROR \d+ acknowledged markers of environment/.test(line)))
      await second.close()
      const lost = await doctorOn(newer)
      assert.match(lost.join("\n"), /BAD .*acknowledged markers of environment \d+ are missing/)
      assert.match(lost.join("\n"), /units? of environment \d+ will be exposed again/)
      assert.match(lost.join("\n"), /erased after the copy of events\.sqlite/)

      assert.match(await Effect.runPromise(Effect.provide(accept(newer), NodeContext.layer)), /losses were accepted/)
      const quiet = serverOn(newer)
      assert.strictEqual((await quiet.request("GET", "/health")).status, 200)
      assert.deepStrictEqual(quiet.logged, [])
      await quiet.close()
      assert.deepStrictEqual(
        (await doctorOn(newer)).filter((line) => line.startsWith("BAD")),
        []
      )

      const lostAll = join(parent, "lost metadata")
      mkdirSync(lostAll)
      copyFileSync(join(parent, "second", "events.sqlite"), join(lostAll, "events.sqlite"))
      await Effect.runPromise(Effect.provide(accept(lostAll), NodeContext.layer))
      const third = serverOn(lostAll)
      const eve = await laboratoryOf(third.request, "eve")
      assert.isAbove(eve.studio.production, cyd.lab.studio.development)
      assert.deepStrictEqual(await strangersIn(third, eve, "eve"), [])
      await third.close()
      assert.isTrue(existsSync(join(lostAll, "metadata.sqlite")))
    }))
})
