import { assert, beforeAll, describe, it } from "@effect/vitest"
import { dayMillis, hourMillis } from "../../../src/domain/Durations.ts"
import { mostAlerts } from "../../../src/domain/operations/alerts/Alert.ts"
import { joinAs, keysOf, refused } from "../../support/Caller.ts"
import { gameOf } from "../../support/game/Game.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"
import { alertStudio, noon } from "../../support/operations/AlertStudio.ts"

const nowhere = "00000000-0000-4000-8000-000000000000"
const change = { kind: "change", direction: "drop", percent: 20, minimumSample: 10 }

describe.each(stores)("alerts over %s", (label, store) => {
  const { clock, midnight } = noon()
  const { request } = testApp(store, {}, clock.layer)
  let world: Awaited<ReturnType<typeof alertStudio>>

  beforeAll(async () => {
    world = await alertStudio(request, `ada-alerts-${label}`, midnight)
  })

  it("refuse what cannot be watched, each problem named, and change nothing", async () => {
    const { home, insight, funnel, call } = world
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
      [
        { watch: { kind: "query", queryId: insight, condition: { kind: "threshold", above: 5, below: 10 } } },
        422,
        "ALERT_WATCH_INVALID",
        /watch\.condition: expected above to be at least below/
      ],
      [{ watch: { kind: "query", queryId: nowhere, condition: change } }, 422, "ALERT_WATCH_INVALID", /queryId/],
      [
        { watch: { kind: "query", queryId: funnel, condition: change } },
        422,
        "ALERT_WATCH_INVALID",
        /expected an insight, query \S+ is one of the type funnel/
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
    const { home, preview, insight, funnel, call } = world
    const watch = { kind: "query", queryId: insight, every: "day", condition: change }
    const { status, body } = await call("POST", preview, { watch })
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
    const few = await call("POST", preview, { watch: share })
    // The newest day of which every player had a day to go on.
    assert.deepStrictEqual([few.body.verdict, few.body.found.look.of > 59], ["unclear", true], few.text)
    assert.closeTo(few.body.found.look.value, 0.47, 0.04)
    assert.deepStrictEqual((await call("GET", home)).body, [])
  })

  it("fire by a limit that nothing at all passes, and compare nothing with nothing", async () => {
    const { home, preview, call, create, save, state } = world
    const metrics = [{ id: "G", data: { type: "totalEvents", name: "Gone" } }]
    const time = { step: "day", relative: { step: "day", value: 7 } }
    const queryId = await save({ queryType: "insight", spec: { time, metrics } })
    const watch = { kind: "query", queryId, every: "day", condition: { kind: "threshold", below: 5 } }
    const { body } = await call("POST", preview, { watch })
    assert.deepStrictEqual([body.verdict, body.found.look.value, body.incidents], ["fired", 0, 1])
    const fired = await state((await create(watch)).id, "fired")
    assert.match(fired.incident.text, /: 0, and at least 5 is allowed\.$/)
    const against = await call("POST", preview, { watch: { ...watch, condition: change } })
    assert.deepStrictEqual([against.body.verdict, against.body.found.look.value], ["unclear", null])
    assert.strictEqual((await call("DELETE", `${home}/${fired.id}`)).status, 204)
  })

  it("judge the newest window of a funnel with what its players did after its end, as all others", async () => {
    const { studio, preview, call, save } = world
    const game = await gameOf(request, studio)
    const lines = [4, 3, 2].flatMap((daysAgo) =>
      Array.from({ length: 8 }, (_, player) => {
        const at = midnight - daysAgo * dayMillis + 20 * hourMillis
        const marker = (type: string, timestamp: number) =>
          JSON.stringify({
            distinctId: `late-${daysAgo}-${player}`,
            type,
            timestamp: new Date(timestamp).toISOString()
          })
        return [marker("Enter", at), ...(player < 6 ? [marker("Win", at + 8 * hourMillis)] : [])]
      }).flat()
    )
    assert.strictEqual((await game.fill(`${lines.join("\n")}\n`)).status, 200)
    const steps = ["Enter", "Win"].map((name) => ({ id: name, name }))
    const time = { step: "day", relative: { step: "day", value: 7 } }
    const queryId = await save({
      queryType: "funnel",
      spec: { time, steps, conversionWindow: { step: "day", value: 1 } }
    })
    const condition = { kind: "threshold", below: 0.5 }
    const watch = { kind: "funnelStep", queryId, step: 1, every: "day", condition }
    const { body } = await call("POST", preview, { watch })
    assert.deepStrictEqual(
      body.windows.slice(-3).map(({ to, look }: any) => [to, look.of, look.value]),
      [3, 2, 1].map((daysAgo) => [new Date(midnight - daysAgo * dayMillis).toISOString(), 8, 0.75])
    )
  })

  it("leave out who did between two steps what the funnel excludes, though the exclusion leads further than the step", async () => {
    const { studio, preview, call, save } = world
    const game = await gameOf(request, studio)
    const at = midnight - 2 * dayMillis + 9 * hourMillis
    const lines = Array.from({ length: 8 }, (_, player) =>
      ["Open", ...(player < 4 ? ["Cheat"] : []), "Try", "Buy"].map((type, minute) =>
        JSON.stringify({
          distinctId: `cheat-${player}`,
          type,
          timestamp: new Date(at + minute * 60_000).toISOString()
        })
      )
    ).flat()
    assert.strictEqual((await game.fill(`${lines.join("\n")}\n`)).status, 200)
    const steps = ["Open", "Try", "Buy"].map((name) => ({ id: name, name }))
    const time = { step: "day", relative: { step: "day", value: 7 } }
    const conversionWindow = { step: "day", value: 1 }
    for (const order of ["ordered", "unordered"]) {
      const exclusions = [{ name: "Cheat", fromStep: 0, toStep: 2 }]
      const spec = { time, steps, conversionWindow, order, exclusions }
      const queryId = await save({ queryType: "funnel", spec })
      const condition = { kind: "threshold", below: 0.9, minimumSample: 1 }
      const watch = { kind: "funnelStep", queryId, step: 1, every: "day", condition }
      const { body } = await call("POST", preview, { watch })
      const { value, of } = body.windows.at(-1).look
      assert.strictEqual(Math.round(value * of), 4, order)
    }
  })

  it("are not replaced on a state that somebody else has changed", async () => {
    const { home, call } = world
    const watch = { kind: "silence", names: "Start", minutes: 60 }
    const { id, updatedAt } = (await call("POST", home, { name: "Watch", watch })).body
    const path = `${home}/${id}`
    const theirs = (await call("PUT", path, { name: "Theirs", watch, basedOn: updatedAt })).body
    assert.isTrue(theirs.updatedAt > updatedAt)
    refused(await call("PUT", path, { name: "Mine", watch, basedOn: updatedAt }), 409, "ALERT_CHANGED")
    assert.strictEqual((await call("GET", path)).body.name, "Theirs")
    const mine = await call("PUT", path, { name: "Mine", watch, basedOn: theirs.updatedAt })
    assert.deepStrictEqual([mine.status, mine.body.name], [200, "Mine"])
    assert.strictEqual((await call("DELETE", path)).status, 204)
  })

  it("ask for what it takes to read what is watched", async () => {
    const { studio, home, preview, call, create } = world
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
      refused(await call("POST", preview, { watch: each }, pager.cookie), 403, "FORBIDDEN")
    }
    const all = (await call("GET", home)).body.length
    for (let count = all; count < mostAlerts; count++) await create(watch, { isActive: false })
    refused(await call("POST", home, { name: "One more", watch }), 409, "ALERT_LIMIT_REACHED")
  })
})
