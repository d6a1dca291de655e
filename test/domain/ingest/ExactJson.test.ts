import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc, Option } from "effect"
import { exactJson, isLongNumber, writtenWhere } from "../../../src/domain/ingest/ExactJson.ts"

const valueOf = (json: string): unknown => Option.getOrElse(exactJson(json), () => "no JSON")

describe("JSON with whole numbers above 2^53", () => {
  it.each([
    ['{"id":76561198000000001}', { id: "76561198000000001" }],
    ['{"id": 76561198000000000 }', { id: "76561198000000000" }],
    ['{"id":-76561198000000001,"n":1}', { id: "-76561198000000001", n: 1 }],
    [
      "[76561198000000001,9007199254740992,9007199254740991,-9007199254740991]",
      ["76561198000000001", "9007199254740992", 9007199254740991, -9007199254740991]
    ],
    ['{"a":{"b":[18446744073709551615]}}', { a: { b: ["18446744073709551615"] } }],
    [
      '{"text":"a,76561198000000001,b \\" :76561198000000001 }","n":2}',
      { text: 'a,76561198000000001,b " :76561198000000001 }', n: 2 }
    ],
    ['{"text":"ends with \\\\","id":76561198000000001}', { text: "ends with \\", id: "76561198000000001" }],
    [
      '{"micros":1700000000000000,"near":0.1234567890123456,"far":1e20}',
      { micros: 1700000000000000, near: 0.1234567890123456, far: 1e20 }
    ],
    ["76561198000000001", "76561198000000001"],
    ['{"id":76561198000000001', "no JSON"],
    ["{76561198000000001:1}", "no JSON"],
    ['{"id":076561198000000001}', "no JSON"]
  ])("%s", (json, expected) => {
    assert.deepStrictEqual(valueOf(json), expected)
  })

  it("says what JSON.parse says wherever no number is above, and every digit where one is", () => {
    const leaf = fc.oneof(
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.bigInt(-(2n ** 70n), 2n ** 70n)
    )
    const written = (value: unknown): string =>
      typeof value === "bigint"
        ? String(value)
        : Array.isArray(value)
          ? `[ ${value.map(written).join(" ,")}]`
          : JSON.stringify(value)
    const expected = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(expected)
      const text =
        typeof value === "bigint" || typeof value === "number"
          ? JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner)).replaceAll('"', "")
          : ""
      return isLongNumber(text) ? text : typeof value === "bigint" ? Number(value) : JSON.parse(JSON.stringify(value))
    }
    fc.assert(
      fc.property(fc.array(fc.oneof(leaf, fc.array(leaf))), (value) => {
        assert.deepStrictEqual(valueOf(written(value)), expected(value))
      })
    )
  })

  it("keeps as written only what the value does not say", () => {
    assert.strictEqual(writtenWhere('{"id": 76561198000000001}'), '{"id": 76561198000000001}')
    assert.isUndefined(writtenWhere('{"id": ",76561198000000001,"}'))
    assert.isUndefined(writtenWhere('{"id": 7}'))
  })

  it("reads a text of many escapes", () => {
    const text = 'a\\"'.repeat(1_000_000)
    const json = JSON.stringify({ text, id: 0 }).replace(":0}", ":76561198000000001}")
    assert.deepStrictEqual(valueOf(json), { text, id: "76561198000000001" })
  })
})
