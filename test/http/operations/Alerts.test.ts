import { assert, beforeAll, describe, it } from "@effect/vitest"
import { dayMillis, hourMillis } from "../../../src/domain/Durations.ts"
import { mostAlerts } from "../../../src/domain/operations/alerts/Alert.ts"
import { joinAs, keysOf, refused } from "../../support/Caller.ts"
import { type Game, gameOf } from "../../support/game/Game.ts"
import { eventually } from "../../support/Npm.ts"
import { shiftedClock } from "../../support/ShiftedClock.ts"
import { stores } from "../../support/Stores.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { testApp } from "../../support/TestApp.ts"

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

const nowhere = "00000000-0000-4000-8000-000000000000"
const change = { kind: "change", direction: "drop", percent: 20, minimumSample: 10 }

describe.each(stores)("alerts over %s", (label, store) => {
  const clock = shiftedClock()
  // It is noon, so that no day ends while the test runs.
  const midnight = Math.floor(Date.now() / dayMillis) * dayMillis
  clock.state.shift = midnight + 12 * hourMillis - Date.now()
  const { request } = testApp(store, {}, clock.layer)
  let studio: Studio
  let game: Game
  let home: string
  let insight: string
  let funnel: string

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = studio.cookie) =>
    request(method, path, {
      headers: { environment_id: String(studio.development), ...headers },
      ...(body === undefined ? {} : { body })
    })
  const create = async (watch: object, more: object = {}) => {
    const answer = await call("POST", home, { name: "Fewer starts", watch, ...more })
    assert.strictEqual(answer.status, 201, answer.text)
    return answer.body
  }
  const state = async (id: string, wanted: string) =>
    eventually(`an alert that is ${wanted}`, async () => {
      const { body } = await call("GET", `${home}/${id}`)
      return body.state === wanted ? body : undefined
    })

  /** So many players start on a day, counted back from today, and a part of them goes on. */
  const play = async (daysAgo: number, players: number, goingOn: number, type = "Start") => {
    const at = midnight - daysAgo * dayMillis + 9 * hourMillis
    const lines = Array.from({ length: players }, (_, player) =>
      [type, ...(player < goingOn ? [`${type}Next`] : [])].map((name, step) =>
        JSON.stringify({
          uuid: crypto.randomUUID(),
          distinctId: `${type}-${daysAgo}-${player}`,
          type: name,
          timestamp: new Date(at + player * 1000 + step).toISOString()
        })
      )
    ).flat()
    const answer = await game.fill(`${lines.join("\n")}\n`)
    assert.strictEqual(answer.status, 200, answer.text)
  }
  const save = async (body: object): Promise<string> => {
    const path = `/application/${studio.applicationId}/analytics/v1/queries`
    const answer = await call("POST", path, { name: "Saved", ...body })
    assert.strictEqual(answer.status, 201, answer.text)
    return answer.body.id
  }

  beforeAll(async () => {
    studio = await openStudio(request, `ada-alerts-${label}`)
    game = await gameOf(request, studio)
    home = `/application/${studio.applicationId}/alerts`
    for (let daysAgo = 40; daysAgo >= 2; daysAgo--) await play(daysAgo, 60 + (daysAgo % 7), 30)
    await play(1, 8, 2)
    const time = { step: "day", relative: { step: "day", value: 7 } }
    const metrics = [
      { id: "S", data: { type: "totalEvents", name: "Start" } },
      { id: "N", data: { type: "uniqueUsers", name: "StartNext" } }
    ]
    insight = await save({
      queryType: "insight",
      spec: { time, metrics, breakdowns: [{ source: "property", name: "platform" }] }
    })
    const steps = ["Start", "StartNext"].map((name) => ({ id: name, name }))
    const spec = { time, steps, conversionWindow: { step: "day", value: 7 } }
    funnel = await save({ queryType: "funnel", spec })
  })

  it("refuse what cannot be watched, each problem named, and change nothing", async () => {
    const good = { kind: "silence", names: "Start", minutes: 60 }
    const cases: ReadonlyArray<readonly [body: object, status: number, code: string, said: RegExp]> = [
      [{ watch: good, name: "" }, 400, "VALIDATION_FAILED", /name/],
      [{ watch: { ...good, minutes: 1 } }, 400, "VALIDATION_FAILED", /watch.*minutes/],
      [{ watch: { ...good, kind: "weather" } }, 400, "VALIDATION_FAILED", /watch/],
      [{ watch: good, state: "fired" }, 400, "VALIDATION_FAILED", /state: unknown field/],
      [
        { watch: { kind: "query", queryId: insight, condition: { kind: "threshold" } } },
        400,
        "VALIDATION_FAILED",
        /expected above, below or both/
      ],
      [{ watch: { kind: "query", queryId: nowhere, condition: change } }, 422, "ALERT_WATCH_INVALID", /queryId/],
      [
        { watch: { kind: "query", queryId: funnel, condition: change } },
        422,
        "ALERT_WATCH_INVALID",
        /expected an insight/
      ],
      [
        { watch: { kind: "query", queryId: insight, metricId: "X", condition: change } },
        422,
        "ALERT_WATCH_INVALID",
        /no metric X/
      ],
      [
        { watch: { kind: "funnelStep", queryId: funnel, step: 2, condition: change } },
        422,
        "ALERT_WATCH_INVALID",
        /2 steps/
      ],
      [{ watch: { kind: "cohort", cohortId: 987_654 } }, 422, "ALERT_WATCH_INVALID", /cohort 987654/],
      [{ watch: { kind: "guardrail", experimentId: 987_654 } }, 422, "ALERT_WATCH_INVALID", /experiment 987654/]
    ]
    for (const [body, status, code, said] of cases) {
      const answer = await call("POST", home, { name: "Watch", ...body })
      refused(answer, status, code)
      assert.match(answer.body.message, said)
    }
    assert.deepStrictEqual((await call("GET", home)).body, [])
    for (const [method, rest, body] of [
      ["GET", "", undefined],
      ["PUT", "", { name: "Watch", watch: good }],
      ["DELETE", "", undefined],
      ["POST", "/mute", { until: null }],
      ["POST", "/acknowledge", {}],
      ["GET", "/incidents", undefined]
    ] as const)
      refused(await call(method, `${home}/${nowhere}${rest}`, body), 404, "ALERT_NOT_FOUND")
  })

  it("show what they would have found, and tell nobody", async () => {
    const watch = { kind: "query", queryId: insight, every: "day", condition: change }
    const { status, body } = await call("POST", `/application/${studio.applicationId}/alert-preview`, { watch })
    assert.strictEqual(status, 200, JSON.stringify(body))
    assert.deepStrictEqual(keysOf(body), ["found", "incidents", "verdict", "windows"])
    assert.deepStrictEqual([body.verdict, body.incidents, body.windows.length], ["fired", 1, 28])
    const { look, from, to } = body.windows.at(-1)
    assert.deepStrictEqual(
      [from, to],
      [midnight - dayMillis, midnight].map((at) => new Date(at).toISOString())
    )
    assert.deepStrictEqual(keysOf(look), ["expected", "high", "low", "of", "value", "verdict"])
    assert.deepStrictEqual([look.value, look.of, look.verdict], [8, 1, "fired"])
    assert.isTrue(
      look.low > 8 && look.low < look.expected && look.expected > 59 && look.expected < 68,
      JSON.stringify(look)
    )
    assert.match(body.found.text, /^In \d{4}-\d\d-\d\d: 8, 8\d\.\d % below the 6\d/)
    const share = {
      kind: "funnelStep",
      queryId: funnel,
      step: 1,
      every: "day",
      condition: { kind: "threshold", below: 0.4 }
    }
    const few = await call("POST", `/application/${studio.applicationId}/alert-preview`, { watch: share })
    // The newest day of which every player had a day to go on.
    assert.deepStrictEqual([few.body.verdict, few.body.found.look.of > 59], ["unclear", true], few.text)
    assert.closeTo(few.body.found.look.value, 0.47, 0.04)
    assert.deepStrictEqual((await call("GET", home)).body, [])
  })

  it("are told when they fire and when it is over, and can be muted and acknowledged", async () => {
    const webhooks = `/organization/${studio.organizationId}/webhooks`
    const hook = (
      await call("POST", webhooks, {
        name: "Chat",
        url: "https://a.example/in",
        types: ["alert.fired", "alert.resolved"]
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
    assert.deepInclude(data, { environmentId: studio.development, text: fired.incident.text })
    assert.deepStrictEqual(data.object, { kind: "alerts", id: made.id, name: "Fewer starts" })

    const seen = await call("POST", `${home}/${made.id}/acknowledge`, { note: "Maintenance" })
    assert.deepInclude(seen.body.incident, { note: "Maintenance" })
    assert.strictEqual(seen.body.incident.acknowledgedBy.email, `ada-alerts-${label}@studio.test`)
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
    const { text } = await call("GET", `/organization/${studio.organizationId}/audit?kind=alerts`)
    for (const operation of ["create", "mute", "acknowledge", "remove"]) assert.include(text, `alerts.${operation}`)
  })

  it("watch for silence, say what they cannot judge, and begin anew when they watch something else", async () => {
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
      /^No Start, StartNext in the last 30 minutes: the last came at /
    )
    assert.match((await state(unknown.id, "unclear")).found.text, /NeverSent was seen in the last 60 days/)
    assert.match((await state(healthy.id, "fine")).found.text, /0 experiments/)
    clock.state.shift += dayMillis
    const broken = await state(lost.id, "broken")
    assert.match(broken.problem, /is not there/)
    assert.isString(broken.incident.startedAt)
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

  it("ask for what it takes to read what is watched", async () => {
    const viewer = await joinAs(request, studio, `vic-alerts-${label}`, "Viewer")
    const watch = { kind: "silence", names: "Start", minutes: 30 }
    const headers = viewer.cookie
    assert.strictEqual((await call("GET", home, undefined, headers)).status, 200)
    refused(await call("POST", home, { name: "Mine", watch }, headers), 403, "FORBIDDEN")
    const roles = `/organization/${studio.organizationId}/v2/roles`
    const role = await call("POST", roles, { name: "Pager", permissions: ["alerts:read", "alerts:write"] })
    assert.strictEqual(role.status, 201, role.text)
    const pager = await joinAs(request, studio, `pat-alerts-${label}`, "Pager")
    for (const each of [watch, { kind: "guardrail" }, { kind: "cohort" }]) {
      refused(await call("POST", home, { name: "Mine", watch: each }, pager.cookie), 403, "FORBIDDEN")
      const preview = `/application/${studio.applicationId}/alert-preview`
      refused(await call("POST", preview, { watch: each }, pager.cookie), 403, "FORBIDDEN")
    }
    const all = (await call("GET", home)).body.length
    for (let count = all; count < mostAlerts; count++) await create(watch, { isActive: false })
    refused(await call("POST", home, { name: "One more", watch }), 409, "ALERT_LIMIT_REACHED")
  })
})
