import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, FastCheck as fc, Option, Schema } from "effect"
import { STATUS_CODES } from "node:http"
import { all as allPermissions } from "../../../src/domain/access/Permission.ts"
import type { Endpoint } from "../../support/Endpoints.ts"
import { endpoints } from "../../support/Endpoints.ts"
import { bodyFrom, strangeQuery, strangeSegment } from "../../support/Malice.ts"
import { contentTypes, strangeCredential, strangeHeaders } from "../../support/StrangeTexts.ts"
import { pathIn, snapshot } from "../../support/analytics/Snapshot.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import type { Answer } from "../../support/TestApp.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"

type Headers = Readonly<Record<string, string>>

interface World {
  readonly studio: Studio
  readonly ids: Readonly<Record<string, string | number>>
  readonly credentials: Readonly<Record<string, Headers>>
}

/** Ways to write a path. */
const spellings = {
  plain: (path: string) => path,
  escaped: (path: string) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  slash: (path: string) => `${path}/`,
  doubled: (path: string) => `/${path}`,
  upper: (path: string) => path.toUpperCase(),
  session: (path: string) => `${path};jsessionid=1`
}

interface Attempt {
  readonly endpoint: Endpoint
  readonly method: string
  /** What stands in the path instead of the studio's own ids, by their place. */
  readonly segments: ReadonlyArray<string | null>
  readonly spelling: keyof typeof spellings
  readonly query: string
  readonly credential: Headers | number
  readonly headers: Headers
  readonly body: string | Uint8Array | null
}

const rawBodies: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  "ingest.markers": [
    {
      markers: [
        { type: "Login", timestamp: "2026-11-20T10:00:00Z", value: { a: 1 }, properties: { position: [1, 2, 3] } }
      ]
    },
    { markers: [{ eventName: "Login", timestamp: 1_780_000_000_000, distinctId: "u", properties: { $os: "x" } }] }
  ]
}

/** Bodies that decode. */
const validBodies = ({ name, payload }: Endpoint): ReadonlyArray<unknown> => {
  if (payload === undefined) return rawBodies[name] ?? []
  const encode = Schema.encodeOption(payload)
  const samples = fc.sample(Arbitrary.make(payload), { numRuns: 12, seed: 11 })
  return samples.flatMap((value) => Option.toArray(encode(value))).slice(0, 8)
}

const usually = <A>(usual: A, strange: fc.Arbitrary<A>, weight = 4) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: strange })

const attemptOf = (endpoint: Endpoint): fc.Arbitrary<Attempt> => {
  const places = endpoint.path.match(/:[A-Za-z]+/g) ?? []
  const hasBody = endpoint.payload !== undefined || endpoint.rawBody
  const body = bodyFrom(validBodies(endpoint))
  return fc.record({
    endpoint: fc.constant(endpoint),
    method: usually(
      endpoint.method,
      fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PURGE"),
      20
    ),
    segments: fc.tuple(...places.map(() => usually(null, strangeSegment, 6))),
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

const seed = 20_261_121

/** Refused attempts after which the studio is looked at. */
const group = 20

const attempts: ReadonlyArray<Attempt> = endpoints().flatMap((endpoint, index) =>
  fc.sample(attemptOf(endpoint), { seed: seed + index, numRuns: 16 })
)

const isForGames = (path: string) => new URL(`http://test${path}`).pathname.replace("/%73", "/s").startsWith("/sdk/")

const describeAttempt = ({ endpoint, ...rest }: Attempt, path: string) =>
  `${rest.method} ${path.slice(0, 300)} (${endpoint.name}) ${JSON.stringify(rest.headers)} ${String(rest.body).slice(0, 300)}`

describe.each(stores)("whatever is sent over %s", (_, store) => {
  const { request } = testApp(store)
  let world: World
  let count = 0

  const openWorld = async (): Promise<World> => {
    const studio = await openStudio(request, `studio-${++count}`)
    const call = (method: string, path: string, body?: unknown) =>
      request(method, path, { headers: studio.cookie, ...(body === undefined ? {} : { body }) })
    const organization = `/organization/${studio.organizationId}`
    const credentials = {
      session: studio.cookie,
      personal: {
        authorization: `Bearer ${await mintPersonalToken(request, studio, { permissions: allPermissions })}`
      },
      secret: { authorization: `Bearer ${await mintKey(request, studio, { permissions: allPermissions })}` },
      public: { authorization: await mintKey(request, studio, { type: "public" }) }
    }
    const role = await call("POST", `${organization}/v2/roles`, { name: "Nothing", permissions: [] })
    const invitation = await call("POST", `${organization}/invitations`, {
      email: "guest@studio.test",
      roleId: role.body.id
    })
    const keys = await call("GET", `${organization}/api-keys`)
    const tokens = await call("GET", "/users/personal-access-tokens")
    const configuration = await call("POST", `/application/${studio.applicationId}/v2/configuration`, { name: "Shop" })
    const experiment = await call("POST", `/application/${studio.applicationId}/v2/experiments`, {
      name: "Shop",
      unitType: "user",
      assignmentMode: "weightedHash",
      baseConfigurationId: configuration.body.id,
      groups: ["a", "b"].map((name) => ({ name, weight: 5000 }))
    })
    return {
      studio,
      credentials,
      ids: {
        ...studio,
        environmentId: studio.development,
        roleId: role.body.id,
        invitationId: invitation.body.id,
        token: invitation.body.token,
        apiKeyId: keys.body[0].id,
        patId: tokens.body[0].id,
        configurationId: configuration.body.id,
        experimentId: experiment.body.id,
        version: 1,
        cookie: ""
      }
    }
  }

  const isWell = async ({ studio, ids }: World): Promise<boolean> => {
    const paths = [`/organization/${studio.organizationId}`, `/application/${studio.applicationId}`, "/users/me"]
    const role = `/organization/${studio.organizationId}/v2/roles/${ids["roleId"]}`
    const answers = await Promise.all([...paths, role].map((path) => request("GET", path, { headers: studio.cookie })))
    return answers.every(({ status }) => status === 200)
  }

  const pathOf = ({ endpoint, segments, spelling, query }: Attempt): string => {
    let place = 0
    const path = endpoint.path.replace(/:[A-Za-z]+/g, (name) => segments[place++] ?? name)
    return spellings[spelling](pathIn(path, world.ids)) + query
  }

  const headersOf = ({ endpoint, credential, headers, body }: Attempt): Headers => {
    const known = Object.values(world.credentials)
    const kind = endpoint.kinds[0]
    const own = kind === undefined ? {} : world.credentials[kind]
    const size = body === null ? 0 : Buffer.byteLength(body)
    return {
      ...(endpoint.inEnvironment ? { environment_id: String(world.studio.development) } : {}),
      ...(credential === 0 ? own : typeof credential === "number" ? known[credential % known.length] : credential),
      ...(body === null ? {} : { "content-type": "application/json", "content-length": String(size) }),
      ...headers
    }
  }

  const send = (attempt: Attempt): Promise<Answer> =>
    request(attempt.method, pathOf(attempt), {
      headers: headersOf(attempt),
      ...(attempt.body === null || attempt.method === "GET" || attempt.method === "HEAD" ? {} : { raw: attempt.body })
    })

  /** What is wrong with an answer; undefined where nothing is. */
  const complaint = ({ method }: Attempt, path: string, answer: Answer): string | undefined => {
    const { status, body, text, headers } = answer
    if (headers.get("x-content-type-options") !== "nosniff") return "no nosniff"
    if (status < 400) return undefined
    if (status >= 500) return `status ${status}: ${text}`
    if (method === "HEAD" && text === "") return undefined
    if (body === undefined) return `status ${status} without a JSON body: ${text}`
    const lists = ["rejectedMarkers", "duplicateMarkers", "staleMarkers", "clampedMarkers"]
    const counts = ["duplicateMarkersCount", "ingestedMarkersCount", "rejectedMarkersCount", "staleMarkersCount"]
    const expected = [
      ...envelopeKeys,
      ...(body.code === "INVALID_MARKERS" ? [...counts, ...lists] : []),
      ...(isForGames(path) ? ["errorCode"] : [])
    ]
    if (Object.keys(body).sort().join() !== expected.sort().join()) return `other keys: ${text}`
    if (body.statusCode !== status || body.error !== STATUS_CODES[status]) return `other status than ${status}: ${text}`
    if (typeof body.message !== "string" || body.message === "") return `no message: ${text}`
    if (status === 405 && (headers.get("allow") ?? method).split(", ").includes(method)) return "refuses what it allows"
    return undefined
  }

  /** The attempts that were refused, with what was wrong with any answer. */
  const play = async (some: ReadonlyArray<Attempt>) => {
    const refused: Array<Attempt> = []
    const complaints: Array<string> = []
    for (const attempt of some) {
      const path = pathOf(attempt)
      const answer = await send(attempt).catch((error: unknown) => String(error))
      const wrong = typeof answer === "string" ? answer : complaint(attempt, path, answer)
      if (wrong !== undefined) complaints.push(`${describeAttempt(attempt, path)} → ${wrong}`)
      if (typeof answer === "string" || answer.status >= 400) refused.push(attempt)
      else if (attempt.method !== "GET" && !(await isWell(world))) world = await openWorld()
    }
    return { refused, complaints }
  }

  it(`is answered, and in the envelope where it is refused (${attempts.length} attempts)`, async () => {
    world = await openWorld()
    const { refused, complaints } = await play(attempts)
    assert.deepStrictEqual(complaints, [])
    assert.isAbove(attempts.length, 1000)
    assert.isAbove(refused.length, attempts.length / 2)
  })

  it("leaves nothing behind where it is refused", async () => {
    world = await openWorld()
    const { refused } = await play(attempts)
    world = await openWorld()
    let before = await snapshot(request, world.studio)
    let looked = 0
    for (let at = 0; at < refused.length; at += group) {
      const some = refused.slice(at, at + group)
      const again = await play(some)
      const after = await snapshot(request, world.studio)
      const names = some.map(({ method, endpoint }) => `${method} ${endpoint.name}`).join(", ")
      if (again.refused.length === some.length) {
        looked += some.length
        assert.strictEqual(after, before, names)
      }
      before = after
    }
    assert.isAbove(looked, attempts.length / 2)
  })
})
