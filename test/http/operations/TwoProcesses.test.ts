import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { bearer } from "../../support/Caller.ts"
import { mintKey } from "../../support/access/Studio.ts"
import { subscribe } from "../../support/analytics/Events.ts"
import { desk, hour, marker } from "../../support/analytics/PlayerDesk.ts"
import { atLeast, cohortAnalystOf, membersOf } from "../../support/cohorts/CohortAnalyst.ts"
import { type Laboratory, laboratoryOf } from "../../support/experiments/Laboratory.ts"
import { phone } from "../../support/deeplinks/DeeplinkStudio.ts"
import { stores } from "../../support/Stores.ts"
import { CohortWatch } from "../../../src/services/cohorts/CohortWatch.ts"
import { type TwoApps, twoApps } from "../../support/operations/TwoApps.ts"

/** Every case first has process B keep what it then must not use any more. */
describe.each(stores)("two processes over %s", (label, store) => {
  let two: TwoApps
  let lab: Laboratory
  let atB: Laboratory["sdk"]

  beforeAll(async () => {
    two = await twoApps(store)
    lab = await laboratoryOf(two.a.request, "ada")
    atB = (method, path, body, headers = {}) =>
      two.b.request(method, `/sdk/v2/${path}`, {
        headers: { ...bearer(lab.game.publicKey), environment: "development", ...headers },
        ...(body === undefined ? {} : { body })
      })
  }, 60_000)

  const evaluateAtB = async (configuration: string, distinctId: string) => {
    const unit = { type: "user", distinctId }
    return (
      await atB("POST", "configurations/evaluate", {
        configuration,
        unit,
        context: { schemaVersion: 1, properties: {} }
      })
    ).body
  }

  it("Changes, Delivery, Replay: what is configured at A is polled at B, under the same hash", async () => {
    const { id, name } = await lab.configure()
    const before = await atB("GET", "bootstrap")
    assert.strictEqual(
      (await atB("GET", "bootstrap", undefined, { "if-none-match": before.headers.get("etag") ?? "" })).status,
      304
    )
    const patch = { changes: [{ op: "set", path: ["price"], value: 99 }] }
    assert.strictEqual((await lab.call("PATCH", `${lab.root}/configuration/${id}`, patch)).status, 200)
    const [here, there] = [await lab.sdk("GET", "bootstrap"), await atB("GET", "bootstrap")]
    assert.deepStrictEqual(there.body, here.body)
    assert.strictEqual(there.headers.get("etag"), here.headers.get("etag"))
    assert.notStrictEqual(there.headers.get("etag"), before.headers.get("etag"))
    assert.strictEqual((await evaluateAtB(name, "ann")).configuration.price, 99)
  })

  it("RunningExperiments, Evaluations: B enrols nobody into what has ended at A", async () => {
    const { configuration, path } = await lab.begin()
    assert.lengthOf((await evaluateAtB(configuration.name, "ann")).experiments, 1)
    await lab.end(path)
    assert.lengthOf((await evaluateAtB(configuration.name, "ann")).experiments, 0)
    assert.lengthOf((await evaluateAtB(configuration.name, "bob")).experiments, 0)
  })

  it("UnitVersions: a group given by hand at A is the one at B", async () => {
    const { configuration, experiment, path } = await lab.begin()
    const given = (await evaluateAtB(configuration.name, "ann")).experiments[0].groupId
    const other = experiment.groups.find(({ id }: { id: number }) => id !== given).id
    const answer = await lab.call("POST", `${path}/assignments`, { distinctId: "ann", groupId: other })
    assert.strictEqual(answer.status, 200, answer.text)
    assert.strictEqual((await evaluateAtB(configuration.name, "ann")).experiments[0].groupId, other)
  })

  it("Stickiness: a unit is in one group, wherever it asks first", async () => {
    const { configuration, path } = await lab.begin()
    const units = Array.from({ length: 20 }, (_, n) => `u${n}`)
    const [here, there] = await Promise.all([
      Promise.all(units.map((unit) => lab.evaluate(configuration.name, unit))),
      Promise.all(units.map((unit) => evaluateAtB(configuration.name, unit)))
    ])
    const groupsOf = (answers: ReadonlyArray<{ experiments: ReadonlyArray<{ groupId: number }> }>) =>
      answers.map(({ experiments }) => experiments[0]?.groupId)
    assert.deepStrictEqual(groupsOf(there), groupsOf(here))
    assert.lengthOf(await lab.exposed(path), units.length)
  })

  it("AccessVersion: a key that is revoked at A polls no more at B", async () => {
    const { studio } = lab
    const home = `/organization/${studio.organizationId}/api-keys`
    const token = await mintKey(two.a.request, studio, { type: "public" })
    const poll = () =>
      two.b.request("GET", "/sdk/v2/bootstrap", { headers: { ...bearer(token), environment: "development" } })
    assert.strictEqual((await poll()).status, 200)
    const keys = await two.b.request("GET", home, { headers: studio.cookie })
    const { id } = keys.body.at(-1)
    await two.a.request("DELETE", `${home}/${id}`, { headers: studio.cookie })
    assert.strictEqual((await poll()).status, 401)
  })

  it("ProjectCache: an environment that is made at A is polled at B, and one that is removed is not", async () => {
    const { studio } = lab
    const home = `/application/${studio.applicationId}/environments`
    const poll = () => atB("GET", "bootstrap", undefined, { environment: "fresh" })
    assert.notStrictEqual((await poll()).status, 200)
    const made = await two.a.request("POST", home, { headers: studio.cookie, body: { name: "Fresh", alias: "fresh" } })
    assert.strictEqual(made.status, 201, made.text)
    const key = await mintKey(two.a.request, studio, { type: "public", environmentIds: [made.body.id] })
    assert.strictEqual((await atB("GET", "bootstrap", undefined, { ...bearer(key), environment: "fresh" })).status, 200)
    await two.a.request("DELETE", `${home}/${made.body.id}`, { headers: studio.cookie })
    assert.notStrictEqual(
      (await atB("GET", "bootstrap", undefined, { ...bearer(key), environment: "fresh" })).status,
      200
    )
  })

  it("ErasedUnits: B refuses what is sent again of a player who was erased at A", async () => {
    const send = (...markers: ReadonlyArray<object>) =>
      two.b.request("POST", "/sdk/v1/markers", { headers: { authorization: lab.game.publicKey }, body: { markers } })
    const again = marker("Trade", "gone", hour)
    await send(again)
    const players = desk(two.a.request, lab.studio)
    assert.strictEqual((await players.erase("gone")).status, 200)
    await send({ ...again, markerId: crypto.randomUUID() })
    assert.strictEqual((await players.get("gone")).status, 404)
  })

  it("Notices: what is changed at A is sent by B, and a reader goes on at B where it was at A", async () => {
    const { id } = await lab.configure()
    const headers = { authorization: lab.game.publicKey, environment: "development" }
    const [here, there] = [await subscribe(two.a, headers), await subscribe(two.b, headers)]
    const [position] = await Promise.all([here.opened(), there.opened()])
    here.close()
    const patch = { changes: [{ op: "set", path: ["price"], value: 98 }] }
    await lab.call("PATCH", `${lab.root}/configuration/${id}`, patch)
    const sent = await there.next()
    assert.deepStrictEqual([sent.event, sent.data], ["configuration", { ids: [id] }])
    for (const server of [two.a, two.b, await two.start("c")]) {
      const back = await subscribe(server, { ...headers, "last-event-id": position })
      const missed = await back.next()
      assert.deepStrictEqual([missed.event, missed.data, missed.id], [sent.event, sent.data, sent.id])
      back.close()
    }
    there.close()
  })

  it("CohortWatch: markers that arrive at B have a cohort of A computed again", async () => {
    const analyst = cohortAnalystOf(two.a.request, lab.studio)
    const { id } = await analyst.define("Traders", atLeast(1, "Swap"))
    const send = () =>
      two.b.request("POST", "/sdk/v1/markers", {
        headers: { authorization: lab.game.publicKey },
        body: { markers: [marker("Swap", "ann", hour)] }
      })
    await send()
    const [noticed] = await two.b.run(Effect.flatMap(CohortWatch, ({ taken }) => taken))
    assert.deepStrictEqual(noticed, { id, environmentId: lab.studio.development })
  })

  it("Clicks: the marker of a click at A converts it at B", async () => {
    const home = `/application/${lab.studio.applicationId}/deeplinks`
    const link = { name: "Summer", type: "web_url", redirectUrl: "https://studio.example/play", slug: `two-${label}` }
    const { body } = await two.a.request("POST", home, { headers: lab.studio.cookie, body: link })
    const answer = await two.a.request("GET", `/d/${link.slug}`, { headers: { "user-agent": phone } })
    const interactionId = new URL(answer.headers.get("location") ?? "").searchParams.get("gk_click")
    await two.b.request("POST", "/sdk/v1/markers", {
      headers: { authorization: lab.game.publicKey },
      body: { markers: [marker("Login", "ann", 0, { gk_click: interactionId })] }
    })
    const report = await two.a.request("GET", `${home}/${body.id}/conversions`, { headers: lab.studio.cookie })
    assert.deepInclude(report.body.totals, { clicks: 1, conversions: 1 })
  })

  it("CohortWrites: changes at A and B at once make no circle", async () => {
    const [analyst, other] = [cohortAnalystOf(two.a.request, lab.studio), cohortAnalystOf(two.b.request, lab.studio)]
    const first = await analyst.define("First", atLeast(1, "Swap"))
    const second = await analyst.define("Second", atLeast(1, "Swap"))
    const referring = (name: string, id: number) => ({ name, definition: membersOf(id) })
    const answers = await Promise.all([
      analyst.call("PUT", `/${first.id}`, referring("First", second.id)),
      other.call("PUT", `/${second.id}`, referring("Second", first.id))
    ])
    assert.lengthOf(
      answers.filter(({ status }) => status === 200),
      1,
      answers.map(({ text }) => text).join()
    )
  })
})
