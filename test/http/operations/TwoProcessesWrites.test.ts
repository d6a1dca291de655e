import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { unwritable } from "../../../src/domain/operations/StoreProblem.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { Turns } from "../../../src/ports/operations/Turns.ts"
import { Exposures } from "../../../src/services/game/Exposures.ts"
import { Maintenance } from "../../../src/services/operations/Maintenance.ts"
import { bearer } from "../../support/Caller.ts"
import { mintKey } from "../../support/access/Studio.ts"
import { hour, marker } from "../../support/analytics/PlayerDesk.ts"
import { type Laboratory, laboratoryOf, units } from "../../support/experiments/Laboratory.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import { type TwoApps, twoApps } from "../../support/operations/TwoApps.ts"

describe.each(stores)("writes of two processes over %s", (_, store) => {
  let two: TwoApps
  let lab: Laboratory
  let sdkOf: (server: TwoApps["a"]) => Laboratory["sdk"]

  beforeAll(async () => {
    two = await twoApps(store)
    lab = await laboratoryOf(two.a.request, "ada")
    sdkOf =
      (server) =>
      (method, path, body, headers = {}) =>
        server.request(method, `/sdk/v2/${path}`, {
          headers: { ...bearer(lab.game.publicKey), environment: "development", ...headers },
          ...(body === undefined ? {} : { body })
        })
  }, 60_000)

  const askAt = async (server: TwoApps["a"], configuration: string, distinctId: string) => {
    const unit = { type: "user", distinctId }
    const context = { schemaVersion: 1, properties: {} }
    return (await sdkOf(server)("POST", "configurations/evaluate", { configuration, unit, context })).body
  }

  const assignmentsOf = async (path: string): Promise<ReadonlyArray<{ groupId: number; distinctId: string }>> =>
    (await lab.call("GET", `${path}/assignments?pageSize=1000`)).body.items

  it("Enrolment: round robin gives turns one after the other to those who come at A and at B", async () => {
    const { configuration, experiment, path } = await lab.begin({ assignmentMode: "roundRobin" })
    const ask = (server: TwoApps["a"], prefix: string) =>
      Promise.all(units(25, prefix).map((unit) => askAt(server, configuration.name, unit)))
    await Promise.all([ask(two.a, "a"), ask(two.b, "b")])
    const assigned = await assignmentsOf(path)
    const sizes = experiment.groups.map(
      ({ id }: { id: number }) => assigned.filter(({ groupId }) => groupId === id).length
    )
    assert.deepStrictEqual(sizes, [25, 25])
  })

  it.each([
    ["weightedHash", "POST", "/terminate", undefined],
    ["roundRobin", "POST", "/terminate", undefined],
    ["weightedHash", "PATCH", "/rollout", { action: "pause" }]
  ])(
    "Enrolment: nobody joins at B what ends or pauses at A meanwhile (%s, %s %s)",
    async (mode, method, change, body) => {
      const { configuration, path } = await lab.begin({ assignmentMode: mode })
      const coming = units(100).map((unit) => askAt(two.b, configuration.name, unit))
      await coming[0]
      const answer = await lab.call(method, `${path}${change}`, body)
      assert.strictEqual(answer.status, 200, answer.text)
      const before = await assignmentsOf(path)
      assert.isNotEmpty(before)
      await Promise.all(coming)
      const idsIn = (all: ReadonlyArray<{ distinctId: string }>) => all.map(({ distinctId }) => distinctId).toSorted()
      assert.deepStrictEqual(idsIn(await assignmentsOf(path)), idsIn(before))
      assert.lengthOf((await askAt(two.b, configuration.name, "late")).experiments, 0)
    }
  )

  it("Exposures: units that ask at A and at B at once have one marker each", async () => {
    const flushed = async () => {
      for (const server of [two.a, two.b])
        await server.run(Effect.flatMap(Exposures, ({ flush }) => Effect.orDie(flush)))
    }
    const { configuration, path } = await lab.begin()
    // Those of the tests before are on their way.
    await flushed()
    const before = await lab.game.count("$exposure")
    const all = units(30, "exposed")
    await Promise.all([two.a, two.b].flatMap((server) => all.map((unit) => askAt(server, configuration.name, unit))))
    await flushed()
    assert.lengthOf(await lab.exposed(path), all.length)
    assert.strictEqual(await lab.game.count("$exposure"), before + all.length)
  })

  it("Freshness: a process that hears nothing of others uses nothing that it keeps", async () => {
    const { id, name } = await lab.configure()
    const price = async () => (await askAt(two.b, name, "ann")).configuration.price
    const set = (value: number) =>
      lab.call("PATCH", `${lab.root}/configuration/${id}`, { changes: [{ op: "set", path: ["price"], value }] })
    const key = await mintKey(two.a.request, lab.studio, { type: "public" })
    const poll = () => sdkOf(two.b)("GET", "bootstrap", undefined, bearer(key))
    assert.deepStrictEqual([await price(), (await poll()).status], [10, 200])
    two.lost.add("b")
    try {
      await set(11)
      const home = `/organization/${lab.studio.organizationId}/api-keys`
      const keys = await two.a.request("GET", home, { headers: lab.studio.cookie })
      await two.a.request("DELETE", `${home}/${keys.body.at(-1).id}`, { headers: lab.studio.cookie })
      assert.deepStrictEqual([await price(), (await poll()).status], [11, 401])
    } finally {
      two.lost.delete("b")
    }
  })

  it("Maintenance: drops nothing of an environment that is made meanwhile, and runs in one process at a time", async () => {
    const maintain = Effect.provide(
      Effect.flatMap(Maintenance, ({ run }) => run()),
      Maintenance.Default
    )
    const home = `/application/${lab.studio.applicationId}/environments`
    const make = (alias: string) =>
      two.a.request("POST", home, { headers: lab.studio.cookie, body: { name: alias, alias } })
    const [made, gone] = [(await make("fresh")).body, (await make("gone")).body]
    await two.a.request("DELETE", `${home}/${gone.id}`, { headers: lab.studio.cookie })
    const key = await mintKey(two.a.request, lab.studio, { type: "public", environmentIds: [made.id] })
    const send = await two.a.request("POST", "/sdk/v1/markers", {
      headers: { authorization: key, environment: "fresh" },
      body: { markers: [marker("Swap", "ann", hour)] }
    })
    assert.strictEqual(send.status, 200, send.text)
    await two.b.run(maintain)
    assert.strictEqual(await lab.game.count("Swap", made.id), 1)
    const held = await two.run(Effect.flatMap(Turns, (turns) => Effect.fork(turns.once("maintenance", Effect.never))))
    // It would wait for ever if it waited for the one that runs.
    await two.b.run(maintain)
    await two.run(Fiber.interrupt(held))
  })
})

describe.each(stores)("limits of two processes over %s", (_, store) => {
  it("RateLimiter: passwords that are guessed at A and at B are counted together", async () => {
    const two = await twoApps(store, { rateLimits: true })
    const password = "correct horse battery staple"
    const email = "eve@studio.test"
    await two.a.request("POST", "/users/auth/signup", { body: { name: "eve", email, password, motive: "testing" } })
    const guess = (server: Pick<TwoApps["a"], "request">, word: string) =>
      server.request("POST", "/users/auth/signin", { body: { email, password: word } })
    for (let guesses = 0; guesses < 5; guesses++)
      assert.strictEqual((await guess({ request: two.each }, "wrong")).status, 401)
    for (const server of [two.a, two.b]) assert.strictEqual((await guess(server, password)).status, 429)
  })
})

/** Markers come into a log first; nobody can be answered about them. */
const withoutQuestions = Layer.effect(
  EventStore,
  Effect.map(EventStore, (inner) =>
    EventStore.of({
      ...inner,
      logProblems: Effect.succeed([]),
      problems: Effect.succeed([unwritable("events", "connection refused")])
    })
  )
)

describe.each(stores)("readiness of two processes over %s", (_, store) => {
  it("System: both stay ready, and take markers in, while the store that answers questions is down", async () => {
    const two = await twoApps(withoutQuestions.pipe(Layer.provideMerge(store)))
    const lab = await laboratoryOf(two.a.request, "ada")
    for (const server of [two.a, two.b]) {
      const { status, body } = await server.request("GET", "/ready")
      assert.deepStrictEqual([status, body.status], [200, "degraded"])
      assert.deepStrictEqual(body.stores, { metadata: true, log: true, events: false })
      const game = await gameOf(server.request, lab.studio)
      assert.strictEqual((await game.send([marker("Swap", "ann", hour)])).status, 200)
    }
  })
})
