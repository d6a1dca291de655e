import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck as fc, Schema } from "effect"
import { isObject } from "../../../../src/domain/ingest/Collector.ts"
import { type ExportedEvent, firstAt, valueAt } from "../../../../src/domain/ingest/exports/ExportedEvent.ts"
import {
  type ExportOrigin,
  exportOrigins,
  MappingChanges
} from "../../../../src/domain/ingest/exports/ExportMapping.ts"
import { runCount } from "../../../support/Runs.ts"
import { anyJson } from "../Arbitraries.ts"
import { mapped, stored } from "./Stored.ts"

describe("mappings", () => {
  it("a file changes types, names and properties one by one, and replaces everything else", () => {
    const event = { uuid: "x", event: "lvl", distinct_id: "a", person_id: "b", properties: { n: 1, $os: "iOS", m: 2 } }
    const timestamp = { timestamp: "2026-11-20T10:00:00Z" }
    const marker = stored(
      "posthog",
      { ...event, ...timestamp },
      {
        unitId: ["person_id"],
        types: { lvl: "Level", $pageview: null },
        arguments: { names: { n: "number", m: null, $os: "system" } },
        properties: { country: [], origin: ["{event}-{distinct_id}"] }
      }
    )
    assert.deepInclude(marker, {
      type: "Level",
      unitId: "b",
      arguments: { number: 1, system: "iOS" },
      properties: { platform: "iOS", origin: "lvl-a" }
    })
    assert.strictEqual(stored("posthog", { event: "$pageview" }, { types: { $pageview: null } }), "left out")
  })

  it("values of an argument are made one type by its name in the marker; what is none of it stays as it is", () => {
    const properties = {
      lvl: ["29", 29, "x"],
      won: "yes",
      lost: 0,
      n: "1e3",
      zip: 1234,
      other: "7",
      big: { a: 1 },
      nothing: null
    }
    const marker = stored(
      "posthog",
      { event: "level", distinct_id: "a", timestamp: "2026-11-20T10:00:00Z", properties },
      {
        arguments: {
          names: { lvl: "level" },
          as: {
            level: "number",
            lvl: "string",
            won: "boolean",
            lost: "boolean",
            n: "number",
            zip: "string",
            big: "number",
            nothing: "string"
          }
        }
      }
    )
    assert.deepInclude(marker, {
      arguments: { level: [29, 29, "x"], won: true, lost: false, n: 1000, zip: "1234", other: "7", "big.a": 1 }
    })
  })

  it("values are found under names with dots, and only where the event itself has them", () => {
    const event: ExportedEvent = JSON.parse('{"a.b": {"c.d": 1}, "a": {"b": {"e": 2}}, "__proto__": {"f": 3}}')
    const found = ["a.b.c.d", "a.b.e", "__proto__.f", "constructor.name", "a..b"].map((path) => valueAt(event, path))
    assert.deepStrictEqual(found, [1, undefined, 3, undefined, undefined])
    assert.strictEqual(firstAt(event, ["x", "{a.b.c.d}:{x}", "{a.b.c.d}!"]), "1!")
  })

  it("times of other forms are read as UTC", () => {
    const instantOf = (timestamp: unknown) => {
      const marker = stored("posthog", { event: "e", timestamp })
      return typeof marker === "string" ? marker : marker.timestamp
    }
    const cases: ReadonlyArray<readonly [unknown, string]> = [
      ["2026-11-20 10:00:00", "2026-11-20T10:00:00.000Z"],
      ["2026-11-20 10:00:00.123456789012", "2026-11-20T10:00:00.123Z"],
      ["2026-11-20 10:00:00 UTC", "2026-11-20T10:00:00.000Z"],
      ["2026-11-20 10:00:00+01", "2026-11-20T09:00:00.000Z"],
      ["2026-11-20T10:00:00+0100", "2026-11-20T09:00:00.000Z"],
      ["2026-11-20 10:00", "2026-11-20T10:00:00.000Z"],
      [1795168800, "2026-11-20T10:00:00.000Z"],
      ["1795168800250", "2026-11-20T10:00:00.250Z"],
      ["2026-13-20 10:00:00", "INVALID_TIMESTAMP"],
      [undefined, "INVALID_TIMESTAMP"]
    ]
    for (const [timestamp, expected] of cases) assert.strictEqual(instantOf(timestamp), expected, String(timestamp))
  })

  it("arguments that break off are refused, instead of an event that is stored without them", () => {
    const whole = { event: "e", event_type: "e", timestamp: 1795168800, event_time: "2026-11-20 10:00:00" }
    const outcomeOf = (origin: ExportOrigin, values: unknown) => {
      const marker = stored(origin, { ...whole, properties: values, event_properties: values })
      return typeof marker === "string" ? marker : marker.arguments
    }
    const cases: ReadonlyArray<readonly [unknown, unknown]> = [
      ['{"level": 3}', { level: 3 }],
      ['{"level": 3', "INVALID_PROPERTIES"],
      [' {"level": 3, "na', "INVALID_PROPERTIES"],
      ["", {}],
      [null, {}],
      ["none", {}]
    ]
    for (const [values, expected] of cases) {
      assert.deepStrictEqual(outcomeOf("posthog", values), expected, String(values))
      assert.deepStrictEqual(outcomeOf("amplitude", values), expected, String(values))
    }
  })

  it("any event becomes one that can be stored or names why not, and values never are the reason", () => {
    const impossible = ["INVALID_VALUE", "NESTED_TOO_DEEP", "INVALID_TIMESTAMP", "left out"]
    const origins = fc.constantFrom(...exportOrigins)
    const event = fc.tuple(anyJson, anyJson, anyJson).map(([id, values, other]) => ({
      uuid: id,
      event: "level",
      event_type: "level",
      timestamp: 1795168800,
      event_time: "2026-11-20 10:00:00",
      properties: values,
      event_properties: values,
      user_properties: other,
      data: { ...(isObject(values) ? values : {}), category: "design", client_ts: 1795168800 }
    }))
    fc.assert(
      fc.property(origins, event, (origin, exported) => {
        const first = mapped(origin, exported)
        assert.deepStrictEqual(mapped(origin, exported), first)
        const outcome = stored(origin, exported)
        assert.isFalse(impossible.some((code) => code === outcome))
      }),
      { numRuns: runCount(2000) }
    )
  })

  it("a mapping with an unknown field is refused", () => {
    const decode = Schema.decodeUnknownEither(MappingChanges, { onExcessProperty: "error", errors: "all" })
    assert.isTrue(Either.isRight(decode({ types: { a: null }, arguments: { keep: ["a*"] } })))
    assert.isTrue(Either.isLeft(decode({ player: ["a"] })))
    assert.isTrue(Either.isLeft(decode({ arguments: { kept: [] } })))
    assert.isTrue(Either.isLeft(decode({ types: { a: "" } })))
    assert.isTrue(Either.isLeft(decode({ arguments: { as: { level: "integer" } } })))
  })
})
