import { assert, describe, it } from "@effect/vitest"
import { statesOf } from "../../../src/web/retention/Cells.ts"

const start = "2026-01-01T00:00:00.000Z"

/** The states of a row of twelve intervals, of which so many are over. */
const states = (over: number, interval: "day" | "month", now: string) =>
  statesOf(
    start,
    Array.from({ length: 12 }, (_, index) => ({ interval: index + 1, count: 1, rate: 10, complete: index < over })),
    interval,
    Date.parse(now)
  )

describe("cells of retention", () => {
  it.each([
    ["2026-02-01T00:00:00.000Z", 0],
    ["2026-09-01T00:00:00.000Z", 7],
    ["2026-12-01T00:00:00.000Z", 10]
  ] as const)("at %s the month that has just begun is running, whatever the lengths of those before", (now, over) => {
    const expected = Array.from({ length: 12 }, (_, index) =>
      index < over ? "over" : index === over ? "running" : "ahead"
    )
    assert.deepStrictEqual(states(over, "month", now), expected)
  })

  it("lie ahead while the row itself is not over", () => {
    assert.strictEqual(states(0, "day", "2026-01-01T12:00:00.000Z")[0], "ahead")
    assert.strictEqual(states(0, "day", "2026-01-02T00:00:00.000Z")[0], "running")
  })
})
