import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import type { Cohort } from "../../../src/domain/cohorts/Cohort.ts"
import {
  abandoned,
  computed,
  demanded,
  failed,
  hastened,
  isDue,
  started,
  waitAfter
} from "../../../src/domain/cohorts/Cohort.ts"
import { ApplicationId, CohortId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { newCohort } from "../../support/cohorts/Cohorts.ts"
import { at } from "../../support/analytics/SavedQueries.ts"

const hour = 3600

const cohort = (fields: Partial<Cohort> = {}): Cohort => ({
  ...newCohort(ApplicationId.make(1), EnvironmentId.make(1), fields),
  id: CohortId.make(1)
})

const outcome = { memberCount: 5, entered: 3, left: 1, highestSequence: 40 }

describe("a cohort's computation", () => {
  it("begins when it is due, and never twice at once", () => {
    assert.deepStrictEqual(
      [at(9), at(10), at(11)].map((now) => isDue(cohort({ dueAt: at(10) }), now)),
      [false, true, true]
    )
    assert.isFalse(isDue(cohort({ dueAt: at(10), startedAt: at(11) }), at(12)))
    assert.isFalse(isDue(cohort({ dueAt: null }), at(12)))
  })

  it("moves the next one an hour on, and leaves the status as it was", () => {
    const begun = started(cohort({ status: "ready" }), at(7))
    assert.deepStrictEqual([begun.startedAt, begun.dueAt, begun.status], [at(7), at(7 + hour), "ready"])
    assert.isNull(started(cohort({ kind: "static" }), at(7)).dueAt)
  })

  it("that ends well forgets the failures before it, and keeps what came due meanwhile", () => {
    const busy = cohort({ status: "failed", error: "no", failures: 3, startedAt: at(1), dueAt: at(4) })
    const after = computed(busy, outcome, at(5))
    assert.deepStrictEqual(after, {
      ...busy,
      status: "ready",
      memberCount: 5,
      highestSequence: 40,
      computedAt: at(5),
      error: null,
      startedAt: null,
      failures: 0
    })
  })

  it("that fails keeps members and date, says why, and waits longer each time", () => {
    const ready = cohort({ status: "ready", memberCount: 5, computedAt: at(1), startedAt: at(2) })
    const once = failed(ready, "too slow", at(10))
    assert.deepStrictEqual(once, {
      ...ready,
      status: "failed",
      error: "too slow",
      failures: 1,
      startedAt: null,
      dueAt: at(40)
    })
    assert.deepStrictEqual(failed(once, "again", at(40)).dueAt, at(100))
    assert.isNull(failed(cohort({ kind: "static", dueAt: null }), "cut short", at(1)).dueAt)
  })

  it("waits half a minute, then twice as long each time, at most an hour", () => {
    assert.deepStrictEqual(
      [1, 2, 3, 7, 8, 9, 1000].map((failures) => Duration.toSeconds(waitAfter(failures))),
      [30, 60, 120, 1920, hour, hour, hour]
    )
  })

  it("that was cut short is due at once", () => {
    const again = abandoned(cohort({ startedAt: at(1), dueAt: at(hour) }), at(9))
    assert.isTrue(isDue(again, at(9)))
  })

  it("asked for by a person is due at once, whatever happened before", () => {
    const asked = demanded(cohort({ status: "failed", error: "no", failures: 5, dueAt: at(hour) }), at(9))
    assert.deepStrictEqual([asked.status, asked.error, asked.failures, asked.dueAt], ["computing", null, 0, at(9)])
  })

  it("comes no later for markers that arrive, and no earlier after a failure", () => {
    const dueFor = (fields: Partial<Cohort>) => hastened(cohort(fields), at(10)).dueAt
    assert.deepStrictEqual(dueFor({ dueAt: at(20) }), at(10))
    assert.deepStrictEqual(dueFor({ dueAt: at(20), startedAt: at(5) }), at(10))
    assert.deepStrictEqual(dueFor({ dueAt: at(5) }), at(5))
    assert.deepStrictEqual(dueFor({ dueAt: at(20), failures: 1 }), at(20))
    assert.isNull(dueFor({ dueAt: null }))
  })

  it("is refreshed within the hour for as long as it goes well", () => {
    const now = DateTime.unsafeMake(0)
    const ready = computed(started(cohort(), now), outcome, now)
    assert.isTrue(isDue(ready, DateTime.add(now, { hours: 1 })))
  })
})
