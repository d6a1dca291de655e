import { assert, describe, it } from "@effect/vitest"
import { Array, Layer } from "effect"
import type { CredentialKind } from "../../../schema/access/Auth.ts"
import { MailerMemory } from "../../../src/adapters/memory/operations/Mailer.ts"
import { allPermissions } from "../../../src/domain/access/Permission.ts"
import { parameters } from "../../support/AcceptableRequests.ts"
import { joinAs } from "../../support/Caller.ts"
import { mediaOf, operationOf } from "../../support/Document.ts"
import type { Endpoint } from "../../support/Endpoints.ts"
import { endpoints } from "../../support/Endpoints.ts"
import { mintKey, studioOf } from "../../support/access/Studio.ts"
import { pathIn } from "../../support/analytics/Snapshot.ts"
import { codeOf } from "../../support/access/Authenticators.ts"
import { stores } from "../../support/Stores.ts"
import type { Answer, Call } from "../../support/TestApp.ts"
import { testApp } from "../../support/TestApp.ts"

interface Example {
  readonly endpoint: Endpoint
  readonly type: string
  readonly example: unknown
}

/** Failed guesses at a password are slowed down, each for itself; there is no count to tell of. */
const guessing = new Set([
  "users.changePassword",
  "passkeys.begin",
  ...["setUp", "confirm", "newRecoveryCodes", "remove"].map((name) => `secondFactors.${name}`)
])

const gamePermissions = ["sdk:ingest", "sdk:read", "queries:write"]

/** The parameter by which paths name what the endpoint creates. */
const createdBy = ({ method, path }: Endpoint): string | undefined => {
  const rests = endpoints().flatMap((other) => (other.path.startsWith(path) ? [other.path.slice(path.length)] : []))
  return method === "POST" ? rests.find((rest) => /^\/:\w+$/.test(rest))?.slice(2) : undefined
}

/** What ends things that others need, or adds environments, which no key covers that was there before. */
const endings = /^environments\.|^savedQueries\.cancel$|^experiments\.terminate$|^experimentDrafts\.start$/

/** What changes something of an organization, and not of one that it makes. */
const isAudited = new Set(
  endpoints().flatMap(({ name, method, requirement }) =>
    method !== "GET" && name !== "configurations.check" && /:(write|delete)$/.test(requirement?.permission ?? "")
      ? [name]
      : []
  )
)

/** What asks for a draft, which no example makes: it is copied from the experiment of the examples. */
const ofDrafts = /^experimentDrafts\./

/** The password that the example of changing it chooses. */
const newPassword = "a sturdier horse, a longer staple"

/** What asks for a link that an administrator has made. */
const ofResets = "passwordResets.use"

/** Who signs up and in comes first, then what creates things, so that each endpoint finds what its example names. */
const turnOf = (endpoint: Endpoint): number => {
  if (endings.test(endpoint.name)) return 3
  if (endpoint.name === ofResets) return 2
  return endpoint.kinds.length === 0 ? 0 : createdBy(endpoint) === undefined ? 2 : 1
}

const examples: ReadonlyArray<Example> = endpoints()
  .toSorted((one, other) => turnOf(one) - turnOf(other))
  .flatMap((endpoint) =>
    mediaOf(operationOf(endpoint.name)).map(([type, { example }]) => ({ endpoint, type, example }))
  )
  .filter(({ example }) => example !== undefined)

/** What a new server may refuse: an execution has most likely ended before it is canceled, an alert has found nothing yet, and it has no domain. */
const mayConflict = new Set([
  "savedQueries.cancel",
  "alerts.acknowledge",
  "passkeys.begin",
  "passkeys.add",
  "passkeys.signIn"
])

/** The declared success, or what stands for it. */
const isAccepted = ({ name }: Endpoint, status: number): boolean =>
  Object.keys(operationOf(name).responses).find((each) => each.startsWith("2")) === String(status) ||
  (mayConflict.has(name) && status === 409)

describe.each(stores)("the examples of the OpenAPI document over %s", (_, store) => {
  const mailing = Layer.merge(store, MailerMemory([]))
  const { request } = testApp(mailing, { rateLimits: true, trustProxy: true })
  /** Of each operation whether its answer said how many requests are left. */
  const counted = new Map<string, boolean>()
  /** Operations that were accepted and change something of the studio. */
  const changed: Array<string> = []
  let ids: Readonly<Record<string, string | number>> = {}
  let headersOf: Partial<Readonly<Record<CredentialKind, Record<string, string>>>> = {}

  /** Codes of the second factor that are good now. */
  let codes: ReadonlyArray<string> = []

  /** The example with what the server has made up, and with the password that the examples before it have chosen. */
  const known = ({ endpoint, example }: Example): unknown =>
    JSON.parse(JSON.stringify(example), (key, value: unknown) => {
      if (endpoint.name.startsWith("secondFactors.")) {
        if (key === "currentPassword") return newPassword
        if (key === "code") return codes[0]
      }
      if (key === "heatmapData") return { id: ids["heatmapId"] }
      if (key === "token") return ids["resetToken"]
      return key === "executionId" || key === "queryId" ? ids[key] : value
    })

  const bodyOf = (example: Example): Call =>
    typeof example.example === "string"
      ? { raw: example.example, headers: { "content-type": example.type } }
      : { body: known(example) }

  const ask = async ({ name, method, kinds }: Endpoint, path: string, { headers, ...body }: Call): Promise<Answer> => {
    const [kind = "session"] = kinds
    const answer = await request(method, path, {
      // Of a public address, because private ones are not counted.
      headers: {
        environment_id: "1",
        "x-forwarded-for": "203.0.113.7",
        "x-request-id": "example",
        ...headersOf[kind],
        ...headers
      },
      ...body
    })
    counted.set(name, answer.headers.has("ratelimit-limit"))
    if (answer.status < 400 && isAudited.has(name)) changed.push(name)
    return answer
  }

  const draft = async (): Promise<number> => {
    const copy = endpoints().find(({ name }) => name === "experimentDrafts.copy")!
    return (await ask(copy, pathIn(copy.path, ids), {})).body.id
  }

  const resetToken = async (): Promise<string> => {
    const make = endpoints().find(({ name }) => name === "passwordResets.create")!
    return (await ask(make, pathIn(make.path, ids), {})).body.token
  }

  const send = async (example: Example): Promise<Answer> => {
    if (example.endpoint.name === ofResets) ids = { ...ids, resetToken: await resetToken() }
    const named = ofDrafts.test(example.endpoint.name) ? { ...ids, experimentId: await draft() } : ids
    const answer = await ask(example.endpoint, pathIn(example.endpoint.path, named), bodyOf(example))
    const created = createdBy(example.endpoint)
    const { id, executionId = ids["executionId"], secret, recoveryCodes } = answer.body ?? {}
    if (example.endpoint.name === "secondFactors.setUp") codes = [codeOf(secret)]
    if (recoveryCodes !== undefined) codes = recoveryCodes
    ids = { ...(created === undefined ? {} : { [created]: id }), ...(executionId ? { executionId } : {}), ...ids }
    return answer
  }

  /** The first person of a new server, in the browser of that cookie; a colleague, and keys for whatever takes keys. */
  const settle = async (signedIn: Answer): Promise<void> => {
    const studio = await studioOf(request, signedIn)
    const { organizationId, applicationId } = studio
    const colleague = await joinAs(request, studio, "kay", "Viewer")
    ids = { organizationId, applicationId, membershipId: colleague.membershipId }
    headersOf = {
      session: studio.cookie,
      public: { authorization: await mintKey(request, studio, { type: "public", permissions: gamePermissions }) },
      secret: { authorization: `Bearer ${await mintKey(request, studio, { permissions: allPermissions })}` }
    }
  }

  it("H1: are accepted, by a new server and in an order that creates what they name", async () => {
    const answers: Array<readonly [name: string, status: number, text: string]> = []
    for (const example of examples) {
      const { name } = example.endpoint
      const answer = await send(example)
      if (name === "accounts.signIn") await settle(answer)
      if (!isAccepted(example.endpoint, answer.status))
        answers.push([`${name} ${example.type}`, answer.status, answer.text])
    }
    assert.deepStrictEqual(answers, [])
    assert.isAbove(examples.length, 70)
  })

  it("leave one entry each in the log of changes where they change something of an organization", async () => {
    const path = `/organization/${ids["organizationId"]}/audit-log?limit=1000`
    const { body } = await request("GET", path, { headers: headersOf.session ?? {} })
    const told: ReadonlyArray<{ readonly operation: string; readonly requestId: string }> = body.items
    const own = told.filter(({ requestId }) => requestId.startsWith("example"))
    assert.deepStrictEqual(own.map(({ operation }) => operation).toReversed(), changed)
    assert.isAbove(new Set(changed).size, 35)
  })

  it("H1: are counted, as all other requests are, where the document says RATE_LIMITED and nowhere else", async () => {
    const others = endpoints().filter(({ name }) => !counted.has(name))
    const [leave, stay] = Array.partition(others, ({ name }) => name !== "accounts.signOut")
    for (const endpoint of [...stay, ...leave]) {
      const path = endpoint.path + (parameters.get(endpoint.name) ?? "")
      await ask(endpoint, pathIn(path, endpoint.method === "DELETE" ? {} : ids), {})
    }
    const limited = [...counted].flatMap(([name, isCounted]) => (isCounted || guessing.has(name) ? [name] : []))
    const declared = endpoints().filter(({ name }) =>
      operationOf(name).responses["429"]?.description.includes("RATE_LIMITED")
    )
    assert.deepStrictEqual(limited.sort(), declared.map(({ name }) => name).sort())
    assert.include(limited, "accounts.signIn")
  })
})
