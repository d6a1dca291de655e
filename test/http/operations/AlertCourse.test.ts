import { assert, beforeAll, describe, it } from "@effect/vitest"
import { dayMillis } from "../../../src/domain/Durations.ts"
import { keysOf, refused } from "../../support/Caller.ts"
import { eventually } from "../../support/Npm.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"
import { alertStudio, noon } from "../../support/operations/AlertStudio.ts"

const recordKeys = [
  "createdAt",
  "createdBy",
  "delayMinutes",
  "description",
  "found",
  "id",
  "incident",
  "isActive",
  "mutedUntil",
  "name",
  "nextLookAt",
  "problem",
  "since",
  "state",
  "updatedAt",
  "updatedBy",
  "watch"
]

const change = { kind: "change", direction: "drop", percent: 20, minimumSample: 10 }

describe.each(stores)("the course of alerts over %s", (label, store) => {
  const { clock, midnight } = noon()
  const { request } = testApp(store, {}, clock.layer)
  let world: Awaited<ReturnType<typeof alertStudio>>

  beforeAll(async () => {
    world = await alertStudio(request, `ada-course-${label}`, midnight)
  })

  it("are told when they fire and when it is over, and can be muted and acknowledged", async () => {
    const { studio, home, insight, call, create, state, play } = world
    const webhooks = `/organization/${studio.organizationId}/webhooks`
    const hook = (
      await call("POST", webhooks, {
        name: "Chat",
        url: "https://a.example/in",
        types: ["alert.fired", "alert.resolved"]
      })
    ).body
    const chat = (
      await call("POST", webhooks, {
        name: "Chat",
        url: "https://a.example/chat",
        format: "slack",
        types: ["alert.fired"]
      })
    ).body
    const watch = { kind: "query", queryId: insight, metricId: "S", every: "day", condition: change }
    const made = await create(watch, { description: "Who starts" })
    assert.deepStrictEqual(keysOf(made), recordKeys)
    assert.deepInclude(made, { state: "new", incident: null, found: null, delayMinutes: 15, isActive: true })
    const fired = await state(made.id, "fired")
    assert.deepStrictEqual(keysOf(fired), recordKeys)
    assert.deepInclude(fired.incident, { endedAt: null, told: true, objects: [], acknowledgedBy: null })
    assert.strictEqual(fired.nextLookAt, new Date(midnight + dayMillis + 15 * 60_000).toISOString())
    const sent = await eventually("a message", async () => {
      const { body } = await call("GET", `${webhooks}/${hook.id}/deliveries?state=delivered`)
      return body.items.length > 0 ? body.items : undefined
    })
    const delivery = await call("GET", `${webhooks}/${hook.id}/deliveries/${sent[0].id}`)
    const { type, data } = JSON.parse(delivery.body.payload)
    assert.strictEqual(type, "alert.fired")
    const link = `http://127.0.0.1:4210/p/${studio.applicationId}/development/alerts/${made.id}`
    assert.deepInclude(data, { environmentId: studio.development, text: fired.incident.text, link })
    assert.deepStrictEqual(data.object, { kind: "alerts", id: made.id, name: "Fewer starts" })

    const said = await eventually("a sentence", async () => {
      const { body } = await call("GET", `${webhooks}/${chat.id}/deliveries`)
      return body.items.length > 0 ? call("GET", `${webhooks}/${chat.id}/deliveries/${body.items[0].id}`) : undefined
    })
    assert.deepStrictEqual(JSON.parse(said.body.payload), {
      text: `alert fired: Fewer starts – ${fired.incident.text} ${link}`
    })
    const seen = await call("POST", `${home}/${made.id}/acknowledge`, { note: "Maintenance" })
    assert.deepInclude(seen.body.incident, { note: "Maintenance" })
    assert.strictEqual(seen.body.incident.acknowledgedBy.email, `ada-course-${label}@studio.test`)
    const until = new Date(midnight + 99 * dayMillis).toISOString()
    assert.strictEqual((await call("POST", `${home}/${made.id}/mute`, { until })).body.mutedUntil, until)
    assert.isNull((await call("POST", `${home}/${made.id}/mute`, { until: null })).body.mutedUntil)
    assert.strictEqual((await call("GET", `${home}?state=fired`)).body.length, 1)
    assert.deepStrictEqual((await call("GET", `${home}?state=fine`)).body, [])

    // The game is back: the first quiet day says little, the second ends it.
    await play(0, 63, 30)
    clock.state.shift += dayMillis
    await eventually("a look at the first quiet day", async () => {
      const { body } = await call("GET", `${home}/${made.id}`)
      return body.found.from === new Date(midnight).toISOString() ? body : undefined
    }).then((body) => assert.strictEqual(body.state, "fired"))
    await play(-1, 62, 30)
    clock.state.shift += dayMillis
    const over = await state(made.id, "fine")
    assert.isNull(over.incident)
    const { body: history } = await call("GET", `${home}/${made.id}/incidents?limit=1`)
    assert.deepStrictEqual([history.items.length, history.nextCursor], [1, null])
    assert.isString(history.items[0].endedAt)
    refused(await call("GET", `${home}/${made.id}/incidents?cursor=x`), 400, "CURSOR_INVALID")
    refused(await call("POST", `${home}/${made.id}/acknowledge`, {}), 409, "ALERT_NOT_FIRED")
    await eventually("the message that it is over", async () => {
      const { body } = await call("GET", `${webhooks}/${hook.id}/deliveries?type=alert.resolved`)
      return body.items.length === 1 ? true : undefined
    })
    await call("DELETE", `${webhooks}/${hook.id}`)
    assert.strictEqual((await call("DELETE", `${home}/${made.id}`)).status, 204)
    const { text } = await call("GET", `/organization/${studio.organizationId}/audit-log?kind=alerts`)
    for (const operation of ["create", "mute", "acknowledge", "remove"]) assert.include(text, `alerts.${operation}`)
  })

  it("watch for silence, say what they cannot judge, and begin anew when they watch something else", async () => {
    const { studio, home, call, create, save, state } = world
    const quiet = await create({ kind: "silence", names: ["Start", "StartNext"], minutes: 30 })
    const unknown = await create({ kind: "silence", names: "NeverSent", minutes: 30 })
    const healthy = await create({ kind: "sampleRatio" })
    const removed = await save({
      queryType: "insight",
      spec: {
        time: { step: "day", relative: { step: "day", value: 7 } },
        metrics: [{ id: "S", data: { type: "totalEvents", name: "Start" } }]
      }
    })
    const low = { kind: "threshold", below: 1000 }
    const lost = await create({ kind: "query", queryId: removed, condition: low, every: "day" })
    await state(lost.id, "fired")
    await call("DELETE", `/application/${studio.applicationId}/analytics/v1/queries/${removed}`)
    assert.match(
      (await state(quiet.id, "fired")).incident.text,
      /^No Start, StartNext in the last 30 minutes: the last came at \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\.$/
    )
    assert.match((await state(unknown.id, "unclear")).found.text, /NeverSent was seen in the last 60 days/)
    assert.match((await state(healthy.id, "fine")).found.text, /0 experiments/)
    clock.state.shift += dayMillis
    const broken = await state(lost.id, "broken")
    assert.match(broken.problem, /is not there/)
    assert.isString(broken.incident.startedAt)
    const replace = (body: object) => call("PUT", `${home}/${lost.id}`, { name: "Lost", watch: broken.watch, ...body })
    const renamed = await replace({})
    assert.deepInclude(renamed.body, { name: "Lost", state: "broken", incident: broken.incident })
    assert.deepInclude((await replace({ isActive: false })).body, { isActive: false, incident: null })
    refused(await replace({}), 422, "ALERT_WATCH_INVALID")
    refused(await replace({ watch: { ...broken.watch, every: "hour" } }), 422, "ALERT_WATCH_INVALID")
    const changed = await call("PUT", `${home}/${quiet.id}`, { name: "Cohorts", watch: { kind: "cohort" } })
    assert.deepInclude(changed.body, { name: "Cohorts", incident: null, description: null })
    assert.strictEqual((await state(quiet.id, "fine")).watch.cohortId, null)
    const off = await call("PUT", `${home}/${quiet.id}`, {
      name: "Cohorts",
      watch: { kind: "cohort" },
      isActive: false
    })
    assert.deepInclude(off.body, { isActive: false, nextLookAt: null })
  })
})
