import { assert, describe, it } from "@effect/vitest"
import { readBatch } from "../../../src/domain/ingest/Batch.ts"
import { receipt } from "./Arbitraries.ts"

const id = "0190b5c2-7f3a-4d21-9c4e-5b6f7a8b9c0d"

const at = "2026-11-20T10:00:00.250Z"

const read = (marker: unknown) => readBatch([marker], receipt)

const login = (rest: object): object => ({ markerId: id, timestamp: at, eventName: "Login", ...rest })

describe("refusals", () => {
  const many = (count: number, prefix = "") =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}n${i}`, i]))
  const withProperties = (properties: unknown) => login({ properties })

  it.each<[string, string, unknown]>([
    ["a marker that is no object", "NOT_AN_OBJECT", [1]],
    ["no name", "INVALID_TYPE", { timestamp: at }],
    ["an empty name", "INVALID_TYPE", login({ eventName: "" })],
    ["a name that is no text", "INVALID_TYPE", login({ eventName: 4 })],
    ["a name too long", "INVALID_TYPE", login({ eventName: "x".repeat(257) })],
    ["no timestamp", "INVALID_TIMESTAMP", login({ timestamp: undefined })],
    ["a timestamp without offset", "INVALID_TIMESTAMP", login({ timestamp: "2026-11-20T10:00:00" })],
    ["a day that does not exist", "INVALID_TIMESTAMP", login({ timestamp: "2026-02-30T10:00:00Z" })],
    ["a timestamp past the calendar", "INVALID_TIMESTAMP", login({ timestamp: 1e300 })],
    ["a number that is no number", "INVALID_TIMESTAMP", login({ timestamp: Number.NaN })],
    ["a unit id that lost digits", "INVALID_UNIT_ID", login({ userId: 2 ** 53 })],
    ["a unit id too long", "INVALID_UNIT_ID", login({ distinctId: "x".repeat(257) })],
    ["a session id that is an object", "INVALID_SESSION_ID", login({ sessionId: {} })],
    ["a server id that is a boolean", "INVALID_SERVER_ID", login({ serverId: true })],
    ["properties that are a list", "INVALID_PROPERTIES", withProperties([])],
    ["a position of two axes", "INVALID_POSITION", withProperties({ position: [1, 2] })],
    ["a position of texts", "INVALID_POSITION", withProperties({ position: { x: "1", y: 2, z: 3 } })],
    ["a position past single precision", "INVALID_POSITION", withProperties({ position: [1e39, 0, 0] })],
    ["an empty argument name", "INVALID_NAME", withProperties({ "": 1 })],
    ["an argument name too long", "INVALID_NAME", withProperties({ ["k".repeat(257)]: 1 })],
    ["a list of objects", "INVALID_VALUE", withProperties({ items: [{ id: 1 }] })],
    [
      "an infinite number",
      "INVALID_VALUE",
      JSON.parse(`{"timestamp":"${at}","eventName":"E","properties":{"a":1e999}}`)
    ],
    ["nesting below four levels", "NESTED_TOO_DEEP", withProperties({ a: { b: { c: { d: { e: 1 } } } } })],
    ["65 arguments", "TOO_MANY_ARGUMENTS", withProperties(many(65))],
    ["65 properties", "TOO_MANY_PROPERTIES", withProperties(many(65, "$"))],
    ["more than 8 KiB", "MARKER_TOO_LARGE", withProperties({ text: "x".repeat(8193) })],
    ["a list of more than 8,192 empty texts", "MARKER_TOO_LARGE", withProperties({ list: Array(8193).fill("") })],
    ["more than 8 KiB of two-byte letters", "MARKER_TOO_LARGE", withProperties({ text: "é".repeat(4097) })]
  ])("rejects %s", (_, code, marker) => {
    const { kept: markers, rejected } = read(marker)
    assert.deepStrictEqual([markers.length, rejected.map((rejection) => rejection.code)], [0, [code as never]])
    assert.isAbove(rejected[0]!.reason.length, 10)
  })

  it.each(["true", "false", "", 1, 0, {}])(
    "rejects an import that says %j of being clamped, never a game",
    (clamped) => {
      const sent = (isImport: boolean) => readBatch([login({ clamped })], { ...receipt, isImport })
      const { kept: markers, rejected } = sent(true)
      assert.deepStrictEqual(
        [markers.length, rejected.map(({ code, reason }) => [code, reason])],
        [0, [["INVALID_CLAMPED", "clamped must be true or false"]]]
      )
      assert.deepStrictEqual(
        sent(false).kept.map((each) => each.clamped),
        [false]
      )
    }
  )

  it.each<[string, string, unknown, ReadonlyArray<RegExp>]>([
    [
      "fields of another product",
      "INVALID_TYPE",
      { time: at, event: "Login", userId: "ada" },
      [
        /^eventName .*\(event is not read: did you mean eventName\?\)$/,
        /^timestamp .*\(time is not read: did you mean /
      ]
    ],
    [
      "everything at once",
      "INVALID_TYPE",
      { timestamp: "soon", eventName: "", distinctId: {}, properties: 3 },
      [
        /^eventName \(or type\) must be a text of 1 to 256 characters$/,
        /^timestamp /,
        /^properties /,
        /^distinctId \(or userId\) /
      ]
    ],
    ["a typing error", "INVALID_TYPE", { timestamp: at, evntName: "x" }, [/did you mean eventName\?/]],
    ["a type of dialect 3", "INVALID_TIMESTAMP", { type: "Login", ts: 1, value: {} }, [/ts is not read/]],
    [
      "two ids",
      "INVALID_UNIT_ID",
      login({ userId: {}, serverId: true }),
      [/^distinctId \(or userId\) must be a text/, /^serverId must be a text/]
    ]
  ])("names all that is wrong with %s, with the code of the first", (_, code, marker, reasons) => {
    const [rejection] = read(marker).rejected
    assert.strictEqual(rejection?.code, code)
    const told = rejection?.reason.split("; ") ?? []
    assert.strictEqual(told.length, reasons.length, rejection?.reason)
    for (const [index, reason] of reasons.entries()) assert.match(told[index] ?? "", reason)
  })

  it("accepts exactly as much as the limits allow", () => {
    const refusals = [
      { ...many(64), ...many(64, "$"), ["k".repeat(256)]: null },
      { ["k".repeat(256)]: 1, a: { b: { c: { d: 1 } } } },
      { t: "x".repeat(8192 - "Login".length - 1) }
    ].flatMap((properties) => read(withProperties(properties)).rejected)
    assert.deepStrictEqual(refusals, [])
  })

  it("counts characters as Unicode does, not the units that JavaScript holds them in", () => {
    const faces = "\u{1f600}".repeat(256)
    const kept = { eventName: faces, distinctId: faces, properties: { [faces]: faces } }
    assert.deepStrictEqual(read(login(kept)).rejected, [])
    const longer = `${faces}\u{1f600}`
    for (const fields of [{ eventName: longer }, { distinctId: longer }, { properties: { [longer]: 1 } }])
      assert.strictEqual(read(login(fields)).rejected.length, 1)
  })

  it("tells the index and the id as it was sent", () => {
    const { rejected } = readBatch([login({}), login({ markerId: "MINE", eventName: 1 }), 5], receipt)
    assert.deepStrictEqual(
      rejected.map(({ index, markerId }) => [index, markerId]),
      [
        [1, "MINE"],
        [2, null]
      ]
    )
  })
})
