import { FastCheck as fc } from "effect"
import type { StoredEvent, Value } from "../../src/domain/analytics/markers/Event.ts"
import { origin } from "../support/analytics/PlanParts.ts"

export const hour = 3_600_000
export const start = Date.UTC(2026, 9, 23)

/** Values that one or the other of two engines would take for another, round or order otherwise. */
const hostile: ReadonlyArray<Value> = [
  1,
  "1",
  true,
  "true",
  false,
  0,
  "",
  "null",
  "a/b",
  "q\"\\'`",
  "\n\t",
  "ß",
  "ẞ",
  "İ",
  "ΑΣ",
  "ας",
  "～",
  "😀",
  "日本",
  "2026-01-01",
  "2026-01-01 00:00:00",
  "other",
  1e21,
  "1e21",
  "1e+21",
  5e-324,
  1.7976931348623157e308,
  0.1,
  0.2,
  "0.1",
  19.99,
  -7,
  1e16,
  -1e16,
  "12.5",
  "+12.5",
  ".5",
  "5.",
  "0x10",
  " 1",
  "1e999",
  "1e3",
  123456789.123,
  [],
  [1, "x"],
  ["1"],
  [""],
  ["x", ""],
  [true],
  '[1,"x"]'
]

/** Names that are no plain paths, and some that every object inherits. */
export const names = ["item", "a.b", "a b", "ü%2E", "__proto__", "constructor", "toString", "n_item", "`q`", "sequence"]

export const value = fc.constantFrom(...hostile)
const unit = fc.option(fc.constantFrom("", "u1", "ü", "😀", "～", "'"), { freq: 9 })

/** Ingest takes -0 for 0, so that no marker has it. */
const coordinate = fc.double({ noNaN: true, min: -9, max: 9 }).map((number) => number + 0)

export const world = fc
  .array(
    fc.record({
      type: fc.constantFrom("A", "B", "C'\\"),
      unitId: unit,
      sessionId: fc.option(fc.constantFrom("", "s1", "s2")),
      at: fc.nat(6 * 24 * 4),
      arguments: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }),
      properties: fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 2 }),
      position: fc.option(fc.tuple(coordinate, fc.nat(3), coordinate))
    }),
    { minLength: 1, maxLength: 60 }
  )
  .map((all) =>
    all.map(({ at, ...event }, index): StoredEvent => ({
      ...event,
      markerId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      serverId: null,
      clamped: false,
      sequence: index + 1,
      timestamp: start + at * (hour / 4),
      receivedAt: origin
    }))
  )
