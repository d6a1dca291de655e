import { Arbitrary, FastCheck as fc, Option, Schema } from "effect"
import { exampleOf } from "../../schema/Example.ts"
import type { Endpoint } from "../support/Endpoints.ts"
import { gif, png, svg, webp } from "../support/access/Pictures.ts"
import { examples, queries } from "./Examples.ts"
import { placeholder } from "./Known.ts"

export type Headers = Readonly<Record<string, string>>

/** A body as it is sent, with the headers that belong to it. */
export interface Body {
  readonly raw: string | Uint8Array
  readonly headers: Headers
}

const json: Headers = { "content-type": "application/json" }

/** The body that the contract gives as an example. */
const documented = ({ payload }: Endpoint): ReadonlyArray<unknown> =>
  payload === undefined ? [] : Option.toArray(exampleOf(payload.ast))

/** Bodies that decode: examples, and what the schema itself makes up. */
export const validBodies = (endpoint: Endpoint): ReadonlyArray<unknown> => {
  const { name, payload } = endpoint
  const known = [...documented(endpoint), ...(examples[name] ?? [])]
  if (payload === undefined) return known
  const encode = Schema.encodeOption(payload)
  const samples = fc.sample(Arbitrary.make(payload), { numRuns: 12, seed: 11 })
  return [...known, ...samples.flatMap((value) => Option.toArray(encode(value))).slice(0, 8)]
}

/** Fields that refer to another one's ids. */
const sameIds: Readonly<Record<string, string>> = {
  baseConfigurationId: "configurationId",
  winnerGroupId: "groupId",
  distinctId: "unitId",
  userId: "unitId",
  playerId: "unitId"
}

/** Values that make sense for fields whose type is only text. */
const sensible: Readonly<Record<string, ReadonlyArray<string>>> = {
  timezone: ["UTC", "Europe/Amsterdam", "Pacific/Apia"],
  email: ["guest@studio.test", "GUEST@studio.test", "other@studio.test"],
  password: ["correct horse battery staple", "wrong horse"],
  currentPassword: ["correct horse battery staple"],
  marker: ["Level", "Login", "Never"],
  conversionMarker: ["Login"],
  redirectUrl: ["https://studio.example/play", "roblox://placeId=7"],
  argument: ["level", "revenue"],
  configuration: ["Shop", "m"],
  configName: ["Shop", "m"]
}

/** The value with ids the server has given out, and other values that make sense, where the names of its fields ask for them. */
const fitted = (value: unknown, key: string, choice: number): unknown => {
  if (Array.isArray(value)) return value.map((item, at) => fitted(item, key.replace(/s$/, ""), choice + 24 * at))
  if (typeof value === "object" && value !== null) {
    const inner = (name: string) => (name === "id" && key === "heatmapData" ? "heatmapId" : name)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fitted(each, inner(name), choice)]))
  }
  if (value === null) return null
  const words = sensible[key]
  if (words !== undefined && typeof value === "string") return words[choice % words.length]
  const name = sameIds[key] ?? key
  return /[a-z]Id$/.test(name) ? placeholder(name, choice) : value
}

const choices = fc.nat(24 * 12)

const asJson = (body: fc.Arbitrary<unknown>): fc.Arbitrary<Body> =>
  fc.tuple(body, choices).map(([value, choice]) => ({
    raw: JSON.stringify(value).replaceAll(/(known:\w+:)0/g, (_, start: string) => `${start}${choice}`),
    headers: json
  }))

const madeUp = ({ payload }: Endpoint): ReadonlyArray<fc.Arbitrary<Body>> => {
  if (payload === undefined) return []
  const encode = Schema.encodeOption(payload)
  const encoded = Arbitrary.make(payload)
    .map((value) => encode(value))
    .filter(Option.isSome)
    .map(({ value }) => value)
  const suited = fc.tuple(encoded, choices).map(([value, choice]) => fitted(value, "", choice))
  return [asJson(suited)]
}

const lines = (bodies: ReadonlyArray<unknown>): ReadonlyArray<Body> =>
  bodies.map((body) => {
    const items = Array.isArray(body) ? body : Object.values(Object(body)).flat()
    const raw = items.map((item) => JSON.stringify(item)).join("\n")
    return { raw, headers: { "content-type": "application/x-ndjson" } }
  })

const pictures: ReadonlyArray<Body> = [
  { raw: png(64, 64), headers: { "content-type": "image/png" } },
  { raw: webp(64, 32), headers: { "content-type": "image/webp" } },
  { raw: gif(10, 10), headers: { "content-type": "image/gif" } },
  { raw: png(9000, 10), headers: { "content-type": "image/png" } },
  { raw: svg, headers: { "content-type": "image/svg+xml" } }
]

/** Bodies of endpoints that read them in their own way. */
const ownForms = ({ name, rawBody }: Endpoint): ReadonlyArray<fc.Arbitrary<Body>> => {
  if (!rawBody) return []
  const bodies = examples[name]
  return [fc.constantFrom(...(bodies === undefined ? pictures : lines(bodies)))]
}

/** Bodies as clients send them; none for an endpoint without a body. */
export const plausibleBody = (endpoint: Endpoint): fc.Arbitrary<Body> | undefined => {
  const known = examples[endpoint.name] ?? []
  const suited = documented(endpoint).map((body) => asJson(choices.map((choice) => fitted(body, "", choice))))
  const ways = [
    ...suited,
    ...(known.length === 0 ? [] : [asJson(fc.constantFrom(...known)), asJson(fc.constantFrom(...known))]),
    ...madeUp(endpoint),
    ...ownForms(endpoint)
  ]
  return ways.length === 0 ? undefined : fc.oneof(...ways)
}

const encodedText = (
  schema: Schema.Schema<unknown, unknown>
): fc.Arbitrary<ReadonlyArray<readonly [string, string]>> => {
  const encode = Schema.encodeOption(schema)
  return fc.tuple(Arbitrary.make(schema), choices).map(([value, choice]) => {
    const fields = Option.getOrElse(encode(value), () => ({}))
    return Object.entries(Object(fitted(fields, "", choice))).flatMap(([name, each]) =>
      [each].flat().flatMap((text) => (text === undefined ? [] : [[name, String(text)] as const]))
    )
  })
}

/** A query string of the declared parameters, empty where there are none. */
export const plausibleQuery = ({ name, urlParams }: Endpoint): fc.Arbitrary<string> => {
  const known = queries[name] ?? []
  if (urlParams === undefined) return fc.constant("")
  const written = encodedText(urlParams).map((pairs) =>
    pairs.length === 0
      ? ""
      : `?${pairs.map(([key, text]) => `${key}=${text.startsWith("known:") ? text : encodeURIComponent(text)}`).join("&")}`
  )
  return known.length === 0 ? fc.oneof(fc.constant(""), written) : fc.oneof(fc.constantFrom(...known), written)
}

/** Values of the declared headers that a client can send. */
export const plausibleHeaders = ({ headers }: Endpoint): fc.Arbitrary<Headers> => {
  if (headers === undefined) return fc.constant({})
  return encodedText(headers).map((pairs) =>
    Object.fromEntries(pairs.filter(([, text]) => /^[\t\u0020-\u007e]*$/.test(text) && text === text.trim()))
  )
}
