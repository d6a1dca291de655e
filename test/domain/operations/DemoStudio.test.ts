import { assert, describe, it } from "@effect/vitest"
import { demoEvents } from "../../../src/domain/operations/DemoStudio.ts"

const until = Date.parse("2026-06-15T12:00:00Z")

describe("demo studio", () => {
  const events = [...demoEvents(until, 300)].flat()

  it("is the same every time", () => {
    assert.deepStrictEqual([...demoEvents(until, 300)].flat(), events)
  })

  it("has thirty days of players who install once, in order, under distinct marker ids", () => {
    assert.strictEqual(new Set(events.map(({ markerId }) => markerId)).size, events.length)
    assert.strictEqual(events.filter(({ type }) => type === "Install").length, 300)
    assert.isTrue(events.every(({ timestamp }) => timestamp < until && timestamp >= until - 31 * 86_400_000))
    assert.match(events[0]!.markerId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it("loses players from step to step and sells to a few", () => {
    const units = (type: string) =>
      new Set(events.filter((event) => event.type === type).map(({ unitId }) => unitId)).size
    assert.isAbove(units("Login"), units("LevelCompleted"))
    assert.isAbove(units("LevelCompleted"), units("Purchase"))
    assert.isAbove(units("Purchase"), 5)
  })
})
