import { DateTime } from "effect"
import { describe, expect, it } from "vitest"
import { AlertId, ApplicationId, EnvironmentId, IncidentId } from "../../../../src/domain/Ids.ts"
import type { Alert, Incident } from "../../../../src/domain/operations/alerts/Alert.ts"
import { type AlertFinding, delayed, judged, unjudged } from "../../../../src/domain/operations/alerts/AlertCourse.ts"
import { beginnings } from "../../../../src/domain/operations/alerts/AlertHistory.ts"
import type { Look } from "../../../../src/domain/operations/alerts/AlertJudgement.ts"

const at = (minute: number) => DateTime.unsafeMake(minute * 60_000)

const alert: Alert = {
  id: AlertId.make("0198c2a4-5b7e-4c1d-9a3f-6e2b8d4f1a70"),
  applicationId: ApplicationId.make(1),
  environmentId: EnvironmentId.make(2),
  name: "Guardrails",
  description: null,
  watch: { kind: "guardrail", experimentId: null },
  delayMinutes: 15,
  isActive: true,
  state: "fine",
  since: at(0),
  found: null,
  problem: null,
  failures: 0,
  calm: 0,
  nextAt: 0,
  mutedUntil: null,
  createdBy: null,
  updatedBy: null,
  createdAt: at(0),
  updatedAt: at(0)
}

const finding = (verdict: Look["verdict"], objects: ReadonlyArray<string> = []): AlertFinding => ({
  verdict,
  objects,
  from: 0,
  to: 1,
  look: null,
  text: objects.join()
})

const told = (objects: ReadonlyArray<string>, isTold = true): Incident => ({
  id: IncidentId.make(1),
  alertId: alert.id,
  startedAt: at(1),
  endedAt: null,
  text: objects.join(),
  look: null,
  objects,
  told: isTold,
  acknowledgedBy: null,
  acknowledgedAt: null,
  note: null
})

describe("the course of an alert", () => {
  it("tells when an incident begins, when it spreads, and when it ends", () => {
    const first = judged(alert, null, finding("fired", ["A"]), at(1))
    expect([first.telling, first.alert.state, first.begun?.objects]).toEqual(["alert.fired", "fired", ["A"]])
    const same = judged(first.alert, told(["A"]), finding("fired", ["A"]), at(2))
    expect([same.telling, same.changed, same.alert.since]).toEqual([null, null, at(1)])
    const more = judged(first.alert, told(["A"]), finding("fired", ["A", "B"]), at(3))
    expect([more.telling, more.changed?.objects]).toEqual(["alert.fired", ["A", "B"]])
    const over = judged(first.alert, told(["A"]), finding("fine"), at(4))
    expect([over.telling, over.alert.state, over.changed?.endedAt]).toEqual(["alert.resolved", "fine", at(4)])
  })

  it("ends an incident of windows with the second quiet one, and not where too little is known", () => {
    const condition = { kind: "threshold", above: 1, below: null, minimumSample: 0, falseOnceInWeeks: 13 } as const
    const queryId = Object(alert.id)
    const watched: Alert = { ...alert, watch: { kind: "query", queryId, metricId: null, every: "hour", condition } }
    const once = judged({ ...watched, state: "fired" }, told([]), finding("fine"), at(1))
    expect([once.alert.state, once.alert.calm, once.telling]).toEqual(["fired", 1, null])
    const unclear = judged({ ...watched, state: "broken" }, told([]), finding("unclear"), at(1))
    expect([unclear.alert.state, unclear.telling]).toEqual(["fired", null])
    expect(judged(watched, null, finding("unclear"), at(1)).alert.state).toBe("unclear")
    expect(judged(once.alert, told([]), finding("fired"), at(2)).alert.calm).toBe(0)
    expect(judged(once.alert, told([]), finding("fine"), at(2)).telling).toBe("alert.resolved")
  })

  it("tells nobody while it is muted, and afterwards what is still open", () => {
    const muted = { ...alert, mutedUntil: at(10) }
    const begun = judged(muted, null, finding("fired", ["A"]), at(1))
    expect([begun.telling, begun.begun?.told]).toEqual([null, false])
    expect(judged(muted, told(["A"], false), finding("fine"), at(2)).telling).toBeNull()
    expect(unjudged(muted, "gone", true, at(2)).telling).toBeNull()
    const later = judged(begun.alert, told(["A"], false), finding("fired", ["A"]), at(11))
    expect([later.telling, later.changed?.told]).toEqual(["alert.fired", true])
  })

  it("is broken at once where trying again does not help, else with the third failure, and says so once", () => {
    expect(unjudged(alert, "gone", true, at(1))).toMatchObject({ telling: "alert.broken", alert: { state: "broken" } })
    const [one, two] = [
      unjudged(alert, "busy", false, at(1)),
      unjudged({ ...alert, failures: 1 }, "busy", false, at(2))
    ]
    expect([one.alert.state, two.alert.state, two.alert.problem]).toEqual(["fine", "fine", "busy"])
    const third = unjudged(two.alert, "busy", false, at(3))
    expect([third.alert.state, third.telling]).toEqual(["broken", "alert.broken"])
    expect(unjudged(third.alert, "busy", false, at(4)).telling).toBeNull()
    expect(judged(third.alert, null, finding("fine"), at(5)).alert).toMatchObject({
      state: "fine",
      problem: null,
      failures: 0
    })
  })

  it("says once the mute has ended that it is broken, and only then", () => {
    const muted = { ...alert, mutedUntil: at(10) }
    const begun = unjudged(muted, "gone", true, at(1))
    expect([begun.alert.state, begun.alert.since, begun.alert.problem, begun.telling]).toEqual([
      "broken",
      at(1),
      "gone",
      null
    ])
    const still = unjudged(begun.alert, "gone", true, at(9))
    expect([still.alert.state, still.telling]).toEqual(["broken", null])
    const ended = unjudged(still.alert, "gone", true, at(11))
    expect([ended.alert.state, ended.alert.since, ended.telling]).toEqual(["broken", at(1), "alert.broken"])
    expect(unjudged(ended.alert, "gone", true, at(12)).telling).toBeNull()
    const known = unjudged(alert, "gone", true, at(1)).alert
    const mutedLater = unjudged({ ...known, mutedUntil: at(10) }, "gone", true, at(2))
    expect(unjudged(mutedLater.alert, "gone", true, at(11)).telling).toBeNull()
  })

  it("looks at the same window next after it was told to wait longer or shorter", () => {
    const condition = { kind: "threshold", above: 1, below: null, minimumSample: 0, falseOnceInWeeks: 13 } as const
    const queryId = Object(alert.id)
    const watched: Alert = { ...alert, watch: { kind: "query", queryId, metricId: null, every: "hour", condition } }
    const hour = 60 * 60_000
    const late: Alert = { ...watched, delayMinutes: 1440, nextAt: 25 * hour }
    expect(delayed(late, 15)).toEqual({ ...late, delayMinutes: 15, nextAt: hour + 15 * 60_000 })
    expect(delayed(delayed(late, 15), 1440)).toEqual(late)
    expect(delayed({ ...late, problem: "busy" }, 15).nextAt).toBe(late.nextAt)
    expect(delayed({ ...alert, nextAt: 7 }, 60).nextAt).toBe(7)
  })

  it("counts in a preview what would have begun", () => {
    const looks = (verdicts: string) =>
      [...verdicts].map((each): Look => ({
        verdict: each === "x" ? "fired" : each === "?" ? "unclear" : "fine",
        value: 1,
        expected: null,
        low: null,
        high: null,
        of: 1
      }))
    expect([beginnings(looks("..x.x..x")), beginnings(looks("x??x")), beginnings(looks("...."))]).toEqual([2, 1, 0])
  })
})
