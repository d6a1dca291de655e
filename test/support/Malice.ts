import { FastCheck as fc } from "effect"
import { anyCharacter } from "./AnyText.ts"
import { strangeTexts } from "./StrangeTexts.ts"

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

const repeated = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`

/** What stands in a value for what JSON can write and a program can hardly hold. */
const extremes = {
  "a number too great": "1e400",
  "lists in lists": repeated("[", "]", 20_000),
  "objects in objects": repeated('{"and":[', "]}", 10_000),
  "not in not": repeated('{"not":', "}", 10_000)
}

export const jsonText = (value: unknown): string =>
  Object.entries(extremes).reduce((text, [name, json]) => text.replaceAll(`"${name}"`, json), JSON.stringify(value))

const nested = (depth: number): Json => {
  let value: Json = 1
  for (let at = 0; at < depth; at++) value = at % 2 === 0 ? [value] : { and: value }
  return value
}

const polluted = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}') as Json

const strange: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<Array<Json>>(...strangeTexts) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Array<Json>>(
      ...[
        null,
        true,
        false,
        0,
        -1,
        1,
        0.5,
        -1e-320,
        1e308,
        2 ** 31,
        2 ** 53,
        -(2 ** 53),
        ...Object.keys(extremes),
        [],
        {},
        [[]]
      ],
      ...[polluted, nested(6), nested(60), Array.from({ length: 3000 }, () => 1)]
    )
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 40 }) }
)

const keys = fc.constantFrom("__proto__", "constructor", "id", "organizationId", "", "length", "then", "toJSON", "type")

interface Mutation {
  readonly place: number
  readonly change: "drop" | "replace" | "wrap" | "add" | "repeat" | "text"
  readonly value: Json
  readonly key: string
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(),
  change: fc.constantFrom("drop", "replace", "replace", "replace", "wrap", "add", "repeat", "text"),
  value: strange,
  key: keys
})

const encoder = new TextEncoder()

/** The text as UTF-8 can carry it: half characters replaced. */
const carried = (text: string): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(encoder.encode(text))

type Owner = Record<string, Json>

const put = (owner: Owner, key: string, value: Json) =>
  Object.defineProperty(owner, key, { value, enumerable: true, configurable: true, writable: true })

const placesOf = (owner: Owner, found: Array<readonly [Owner, string]> = []) => {
  for (const [key, value] of Object.entries(owner)) {
    found.push([owner, key])
    if (typeof value === "object" && value !== null && found.length < 200) placesOf(value as Owner, found)
  }
  return found
}

const mutate = (body: unknown, { place, change, value, key }: Mutation): unknown => {
  const root = { body: structuredClone(body) } as Owner
  const places = placesOf(root)
  const [owner, name] = places[place % places.length] ?? [root, "body"]
  const old = owner[name] ?? null
  if (change === "drop") delete owner[name]
  if (change === "replace") put(owner, name, value)
  if (change === "wrap") put(owner, name, [old])
  if (change === "text") put(owner, name, JSON.stringify(old))
  if (change === "repeat")
    put(owner, name, Array.isArray(old) ? Array.from({ length: 40 }, () => old).flat() : [old, old])
  if (change === "add" && typeof old === "object" && old !== null && !Array.isArray(old)) put(old as Owner, key, value)
  return root["body"] ?? null
}

/** Bytes that no client of ours would send as JSON. */
const brokenBody: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.constantFrom<Array<string | Uint8Array>>(
    "",
    " ",
    "{",
    "[]",
    "null",
    "undefined",
    "NaN",
    "{}{}",
    "{'name': 1}",
    '{"name": "x",}',
    '{"name":1,"name":"twice"}',
    '{"__proto__":{"name":"x"}}',
    '"\\ud800"',
    "1e400",
    "[".repeat(50_000),
    "[".repeat(50_000) + "]".repeat(50_000),
    `{"a":`.repeat(20_000) + "1" + "}".repeat(20_000),
    "x".repeat(1024 * 1024 + 1),
    `"${"x".repeat(1024 * 1024 - 2)}"`,
    Uint8Array.of(0xff, 0xfe, 0x7b, 0x00),
    Uint8Array.of(0x22, 0xc3, 0x28, 0x22),
    Uint8Array.of(0x1f, 0x8b, 0x08, 0x00),
    Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)
  ),
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ maxLength: 50 }),
  fc.json({ maxDepth: 4 })
)

/** A body made from one that decodes, or from nothing sensible. */
export const bodyFrom = (valid: ReadonlyArray<unknown>): fc.Arbitrary<string | Uint8Array> => {
  if (valid.length === 0) return brokenBody
  const mutated = fc
    .tuple(fc.constantFrom(...valid), fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([body, changes]) => jsonText(changes.reduce(mutate, body)))
  const marked = mutated.map((text) => `\ufeff${text}`)
  const cut = mutated.map((text) => encoder.encode(text).slice(0, -1))
  return fc.oneof(
    { weight: 12, arbitrary: mutated },
    { weight: 1, arbitrary: marked },
    { weight: 1, arbitrary: cut },
    { weight: 3, arbitrary: brokenBody }
  )
}

/** One segment of a path, as it stands in the request. */
export const strangeSegment: fc.Arbitrary<string> = fc.oneof(
  fc
    .constantFrom(...strangeTexts.filter((text) => text.length < 2000))
    .map((text) => encodeURIComponent(carried(text))),
  fc.constantFrom(
    "%",
    "%zz",
    "%2",
    "%ff",
    "%c3%28",
    "%ed%a0%80",
    "%2f",
    "%2e%2e",
    "..",
    ".",
    ";a=b",
    "*",
    ":id",
    "%25zz"
  ),
  fc.string({ unit: anyCharacter, maxLength: 20 }).map((text) => encodeURIComponent(carried(text))),
  fc.constantFrom("x".repeat(599), "x".repeat(601), "1".repeat(5000))
)

export const strangeQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...["?", "??", "?&&", "?=", "?limit=0", "?limit=1001", "?limit=NaN", "?limit=1&limit=2", "?cursor=", "?cursor=%00"],
    ...["?cursor=zz", "?%zz=%zz", "?limit[]=1", "?__proto__=1", "?v=%ff", `?cursor=${"x".repeat(600)}`, "?limit=1e1"],
    ...["?cursor=99999999999999999999", "?cursor=-1", "?cursor=null", "?search=%ed%a0%80", "#fragment", "?limit=+5"]
  ),
  fc.webQueryParameters().map((query) => `?${query}`)
)
