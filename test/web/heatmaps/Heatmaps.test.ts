import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import type { HeatmapComparison } from "../../../src/web/heatmaps/Comparison.ts"
import { boundsFrom } from "../../../src/web/heatmaps/Corners.ts"
import { heatmapKind } from "../../../src/web/heatmaps/HeatmapKind.ts"
import type { HeatmapQuestion } from "../../../src/web/heatmaps/HeatmapQuestion.ts"
import { cellChoices, heatmapBody, heatmapCodec } from "../../../src/web/heatmaps/HeatmapQuestion.ts"
import { ramps } from "../../../src/web/heatmaps/Ramp.ts"
import { readable } from "../../../src/web/url/Codec.ts"

const name = fc.string({ minLength: 1, maxLength: 12 })
const named = fc.record({ id: fc.integer({ min: 1, max: 99_999 }), name })
const coordinate = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0)

const comparison: fc.Arbitrary<HeatmapComparison> = fc.oneof(
  fc.constant({ kind: "period" as const }),
  fc.record({ kind: fc.constant("cohorts" as const), first: named, second: fc.option(named) }),
  fc.record({ kind: fc.constant("groups" as const), experiment: named, first: named, second: named })
)

const question: fc.Arbitrary<HeatmapQuestion> = fc.record({
  map: name,
  marker: name,
  counts: fc.constantFrom("markers" as const, "players" as const),
  filters: fc.array(
    fc.record({
      source: fc.constantFrom("argument" as const, "property" as const),
      name,
      operator: fc.constantFrom("is" as const, "isNot" as const),
      values: fc.array(name, { minLength: 1, maxLength: 2 })
    }),
    { maxLength: 2 }
  ),
  match: fc.constantFrom("all" as const, "any" as const),
  low: fc.option(coordinate),
  high: fc.option(coordinate),
  period: fc.record({
    kind: fc.constant("relative" as const),
    step: fc.constantFrom("hour" as const, "day" as const, "week" as const),
    value: fc.integer({ min: 1, max: 90 })
  }),
  cells: fc.constantFrom(...cellChoices),
  comparison: fc.option(comparison),
  per: fc.constantFrom("players" as const, "share" as const),
  area: fc.option(fc.tuple(coordinate, coordinate, coordinate, coordinate)),
  view: fc.constantFrom("flat" as const, "bars" as const),
  opacity: fc.integer({ min: 10, max: 100 }),
  blur: fc.integer({ min: 0, max: 6 }),
  ramp: fc.constantFrom(...ramps)
})

describe("questions about maps", () => {
  it("survive their address", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const address = readable(heatmapCodec.write(asked))
        assert.deepStrictEqual(heatmapCodec.read(new URLSearchParams(address)), asked)
      })
    )
  })

  it("ask each side of a comparison with its own condition, beside the filters that any of may hold", () => {
    const asked = {
      ...heatmapCodec.read(new URLSearchParams("map=m&m=Died&match=any&f=property:a:is:1&f=property:b:is:2")),
      comparison: { kind: "cohorts" as const, first: { id: 3, name: "Whales" }, second: null }
    }
    const conditions = (["first", "second"] as const).map(
      (side) => heatmapBody(asked, "UTC", side)?.metrics[0].data.filters
    )
    assert.deepStrictEqual(conditions, [
      [{ source: "cohort", name: "Whales", operator: "isIn", value: [3] }],
      [{ source: "cohort", name: "Whales", operator: "isNotIn", value: [3] }]
    ])
    assert.strictEqual(heatmapBody(asked, "UTC")?.filters?.length, 2)
    assert.isNull(heatmapBody({ ...asked, low: 2, high: 1 }, "UTC"))
  })

  it("of a period and the one before have no day in common", () => {
    const asked = {
      ...heatmapCodec.read(new URLSearchParams("map=m&m=Died&range=7d")),
      comparison: { kind: "period" as const }
    }
    const [first, second] = (["first", "second"] as const).map(
      (side) => heatmapBody(asked, "Asia/Tokyo", side, "2026-11-22")?.time
    )
    assert.deepStrictEqual(first, { step: "day", relative: { step: "day", value: 7 } })
    assert.deepStrictEqual(second, { step: "day", from: "2026-11-07T15:00:00.000Z", to: "2026-11-14T15:00:00.000Z" })
  })

  it("are saved and read again, but for a comparison", () => {
    fc.assert(
      fc.property(question, (asked) => {
        const sound = { ...asked, ...((asked.low ?? 0) > (asked.high ?? Infinity) ? { low: null } : {}) }
        const definition = heatmapKind.definition(sound, "UTC")
        if (sound.comparison !== null) {
          assert.isNull(definition)
          return
        }
        const spec = { match: "all", filters: [], options: {}, ...definition?.spec }
        const saved = JSON.parse(JSON.stringify({ ...definition, spec }))
        const expected = { ...heatmapKind.essence(sound), per: "players" as const }
        const cells = sound.view === "bars" ? Math.min(128, sound.cells) : sound.cells
        assert.deepStrictEqual(heatmapKind.read(saved, "UTC"), { ...expected, cells })
      })
    )
  })
})

describe("corners of an image", () => {
  const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)
  const end = fc.integer({ min: -1000, max: 1000 })

  it("tell where the whole image lies, wherever on it they are", () => {
    fc.assert(
      fc.property(share, share, share, share, end, end, end, end, (a, b, c, d, x, toX, z, toZ) => {
        const at = (across: number, down: number) => ({
          across,
          down,
          x: x + across * (toX - x),
          z: z + down * (toZ - z)
        })
        const bounds = boundsFrom(at(a, b), at(c, d), { low: 1, high: 2 })
        if (Math.abs(a - c) < 0.02 || Math.abs(b - d) < 0.02 || x === toX || z === toZ) assert.isNull(bounds)
        else if (bounds !== null) {
          for (const [found, expected] of [
            [bounds.pointA.x, x],
            [bounds.pointB.x, toX],
            [bounds.pointA.z, z],
            [bounds.pointB.z, toZ]
          ] as const)
            assert.closeTo(found, expected, 1e-6)
          assert.deepStrictEqual([bounds.pointA.y, bounds.pointB.y], [1, 2])
        }
      })
    )
  })
})
