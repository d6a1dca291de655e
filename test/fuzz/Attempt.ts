import { FastCheck as fc } from "effect"
import type { Endpoint } from "../support/Endpoints.ts"
import { endpoints } from "../support/Endpoints.ts"
import { bodyFrom, strangeQuery, strangeSegment } from "../support/Malice.ts"
import { contentTypes, strangeCredential, strangeHeaders } from "../support/StrangeTexts.ts"
import { seeded } from "../support/Seeded.ts"
import type { Headers } from "./Bodies.ts"
import { plausibleBody, plausibleHeaders, plausibleQuery, validBodies } from "./Bodies.ts"

/** Ways to write a path. */
export const spellings = {
  plain: (path: string) => path,
  escaped: (path: string) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  slash: (path: string) => `${path}/`,
  doubled: (path: string) => `/${path}`,
  upper: (path: string) => path.toUpperCase(),
  session: (path: string) => `${path};jsessionid=1`
}

/** A request that is not sent yet: ids stand in it as placeholders. */
export interface Attempt {
  readonly endpoint: Endpoint
  readonly method: string
  /** What stands in the path instead of known ids, by their place. */
  readonly segments: ReadonlyArray<string | null>
  /** Which of the known ids stands in the path, and which of the credentials that the endpoint takes is sent. */
  readonly choices: ReadonlyArray<number>
  readonly spelling: keyof typeof spellings
  readonly query: string
  /** The endpoint's own kind of credential for 0, the one of that place among all for another number. */
  readonly credential: Headers | number
  readonly headers: Headers
  readonly body: string | Uint8Array | null
}

const usually = <A>(usual: A, strange: fc.Arbitrary<A>, weight = 4) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: strange })

const placesIn = ({ path }: Endpoint) => path.match(/:[A-Za-z]+/g) ?? []

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PURGE"]

/** Requests that are wrong in one place or several. */
export const hostile = (endpoint: Endpoint): fc.Arbitrary<Attempt> => {
  const places = placesIn(endpoint)
  const hasBody = endpoint.payload !== undefined || endpoint.rawBody
  const body = bodyFrom(validBodies(endpoint))
  return fc.record({
    endpoint: fc.constant(endpoint),
    method: usually(endpoint.method, fc.constantFrom(...methods), 20),
    segments: fc.tuple(...places.map(() => usually(null, strangeSegment, 6))),
    choices: fc.constant([]),
    spelling: usually<Attempt["spelling"]>(
      "plain",
      fc.constantFrom("escaped", "slash", "doubled", "upper", "session"),
      12
    ),
    query: usually("", strangeQuery),
    credential: usually<Headers | number>(0, fc.oneof(strangeCredential, fc.nat(9)), 6),
    headers: fc
      .tuple(
        usually<Headers>({}, strangeHeaders),
        usually<Headers>(
          {},
          fc.constantFrom(...contentTypes).map((type) => ({ "content-type": type })),
          8
        )
      )
      .map(([one, other]) => ({ ...one, ...other })),
    body: hasBody
      ? fc.oneof({ weight: 20, arbitrary: body }, { weight: 1, arbitrary: fc.constant(null) })
      : usually(null, body)
  })
}

const someChoices = fc.array(fc.nat(24 * 12), { minLength: 6, maxLength: 6 })

/** Requests as clients send them, which use what earlier ones have made: now and then with an id of another tenant or of nobody. */
export const plausible = (endpoint: Endpoint): fc.Arbitrary<Attempt> => {
  const places = placesIn(endpoint)
  const body = plausibleBody(endpoint)
  return fc
    .record({
      choices: someChoices,
      segments: fc.tuple(...places.map(() => usually(null, strangeSegment, 40))),
      query: plausibleQuery(endpoint),
      credential: usually<number>(0, fc.nat(9), 20),
      headers: usually<Headers>({}, plausibleHeaders(endpoint), 3),
      body: body === undefined ? fc.constant(null) : body
    })
    .map(({ body: sent, headers, ...rest }) => ({
      ...rest,
      endpoint,
      method: endpoint.method,
      spelling: "plain",
      headers: { ...headers, ...sent?.headers },
      body: sent?.raw ?? null
    }))
}

const endings = /^(projects\.remove|organizations\.removeMember|accounts\.(signOut|remove)|users\.end.*)$/
const spoilings = /^(environments\.remove|users\.changePassword|(apiKeys|personalTokens)\.(deactivate|rotate|set\w+))$/

/** What ends or changes accounts, projects and keys is rare, so that most requests find something. */
const weightOf = ({ method, name }: Endpoint): number => {
  if (endings.test(name)) return 1
  if (spoilings.test(name)) return 3
  if (method === "DELETE") return 4
  return /\.(create|markers|import|set|evaluate|assign)$/.test(name) ? 16 : 10
}

const drawn = (random: () => number, count: number): ReadonlyArray<number> => {
  const lots = endpoints().flatMap((endpoint, index) => Array.from({ length: weightOf(endpoint) }, () => index))
  return Array.from({ length: count }, () => lots[Math.floor(random() * lots.length)] ?? 0)
}

const arbitraries = new Map<string, fc.Arbitrary<Attempt>>()

const anyAttempt = (endpoint: Endpoint): fc.Arbitrary<Attempt> => {
  const known = arbitraries.get(endpoint.name)
  if (known !== undefined) return known
  const made = fc.oneof({ weight: 3, arbitrary: plausible(endpoint) }, { weight: 2, arbitrary: hostile(endpoint) })
  arbitraries.set(endpoint.name, made)
  return made
}

/** So many attempts on all endpoints, mixed; the same for the same seed. */
export const mixture = (seed: number, count: number): ReadonlyArray<Attempt> => {
  const order = drawn(seeded(seed), count)
  const all = endpoints()
  const counts = new Map<number, number>()
  for (const index of order) counts.set(index, (counts.get(index) ?? 0) + 1)
  const samples = new Map<number, ReadonlyArray<Attempt>>()
  for (const [index, numRuns] of counts) {
    const endpoint = all[index]
    if (endpoint === undefined) continue
    samples.set(index, fc.sample(anyAttempt(endpoint), { seed: (seed * 1009 + index) | 0, numRuns }))
  }
  const taken = new Map<number, number>()
  return order.flatMap((index) => {
    const at = taken.get(index) ?? 0
    taken.set(index, at + 1)
    return samples.get(index)?.slice(at, at + 1) ?? []
  })
}
