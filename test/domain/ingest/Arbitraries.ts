import { FastCheck as fc } from "effect"

export const receivedAt = Date.UTC(2026, 10, 21)
export const day = 86_400_000
export const receipt = { receivedAt, retention: 400 * day }

const lone = fc.constantFrom("\ud800", "a\udc00b", "😀", "", "x".repeat(257), "é".repeat(200))

const names = fc.oneof(
  fc.constantFrom(
    "__proto__",
    "constructor",
    "toString",
    "a",
    "a.b",
    "b",
    "$os",
    "platform",
    "position",
    "x",
    "y",
    "z"
  ),
  lone
)

const leaf = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, 1e308, Infinity, NaN, 12, 1.5, 2 ** 53, 1e-9),
  fc.string({ maxLength: 6 }),
  lone
)

/** What JSON can say, and a little more, with names that bite. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: "medium" },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie("value")), { maxLength: 5 }).map((entries) => JSON.parse(textOf(entries)))
  )
})).value

const textOf = (entries: ReadonlyArray<readonly [string, unknown]>): string =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? "null"}`).join(",")}}`

const timestamps = fc.oneof(
  fc.constantFrom<unknown>(
    receivedAt,
    receivedAt / 1000,
    receivedAt + 700_000,
    receivedAt - 399 * day,
    receivedAt - 401 * day,
    "2026-11-20T10:00:00Z",
    "2026-11-20T10:00:00+02:00",
    "2026-11-20T10:00:00",
    "2026-02-30T10:00:00Z",
    0,
    -1,
    1e300
  ),
  leaf
)

const ids = fc.oneof(
  fc.constantFrom<unknown>("p1", 42, 7.5, "", null, 2 ** 60, "x".repeat(300), [], {}),
  fc.uuid(),
  fc.uuid().map((id) => id.replaceAll("-", "").toUpperCase())
)

const optional = { requiredKeys: [] }

/** Markers of the three dialects, most of them right. */
export const anyMarker: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 1, arbitrary: anyJson },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        markerId: ids,
        timestamp: timestamps,
        eventName: fc.constantFrom<unknown>("Login", "Level", "", 7, null),
        type: fc.constantFrom<unknown>("Login", undefined),
        value: anyJson,
        distinctId: ids,
        userId: ids,
        serverId: ids,
        sessionId: ids,
        properties: anyJson
      },
      optional
    )
  },
  {
    weight: 6,
    arbitrary: fc.record({
      markerId: fc.uuid(),
      timestamp: fc.constantFrom<unknown>(receivedAt, "2026-11-20T10:00:00Z"),
      type: fc.constantFrom("Login", "Level"),
      userId: fc.constantFrom<unknown>(1, "2", null),
      value: fc.oneof(leaf, fc.dictionary(names, leaf, { maxKeys: 4 })),
      properties: fc.dictionary(names, leaf, { maxKeys: 4 })
    })
  }
)
