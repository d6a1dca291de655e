import { assert, beforeAll, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import type { CredentialKind } from "../../../schema/access/Auth.ts"
import { allPermissions } from "../../../src/domain/access/Permission.ts"
import { BrowserRepo } from "../../../src/ports/access/BrowserRepo.ts"
import { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { Secrets } from "../../../src/ports/access/Secrets.ts"
import type { Endpoint } from "../../support/Endpoints.ts"
import { pathIn, snapshot } from "../../support/analytics/Snapshot.ts"
import { stores } from "../../support/Stores.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { joinStudio, mintKey, mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import { envelopeKeys, testApp } from "../../support/TestApp.ts"
import { kinds, needs, guarded, parameters, bodyOf } from "../../support/AcceptableRequests.ts"

type Headers = Record<string, string>
type Credentials = Readonly<Record<CredentialKind, Headers>>

interface World {
  readonly own: Studio
  readonly foreign: Studio
  readonly ids: Readonly<Record<string, string | number>>
  readonly valid: Credentials
  readonly foreigners: Credentials
  readonly powerless: Credentials
  readonly unknown: Credentials
  readonly expired: Credentials
  readonly deactivated: Omit<Credentials, "session">
  /** Covers the development environment only. */
  readonly elsewhere: Omit<Credentials, "session">
}

const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })

/** Asks for the browser, whose accounts may all have expired, and looks at no other credential. */
const aboutBrowser = /^accounts\.(switch|remove)$/

describe.each(stores)("every endpoint over %s", (_, store) => {
  const { request, run } = testApp(store)
  let world: World

  const spoil = (token: string, change: { readonly expiresAt?: DateTime.Utc; readonly deactivatedAt?: DateTime.Utc }) =>
    run(
      Effect.gen(function* () {
        const keys = yield* CredentialRepo
        const secrets = yield* Secrets
        const key = Option.getOrThrow(yield* keys.findBySecretHash(secrets.hash(Redacted.make(token))))
        yield* keys.update({ ...key, ...change })
      })
    )

  const expireSession = (cookie: string) =>
    run(
      Effect.gen(function* () {
        const browsers = yield* BrowserRepo
        const secrets = yield* Secrets
        const hash = secrets.hash(Redacted.make(cookie.replace("auth-token=", "")))
        const browser = Option.getOrThrow(yield* browsers.findByTokenHash(hash))
        const accounts = browser.accounts.map((account) => ({ ...account, expiresAt: DateTime.unsafeMake(1) }))
        yield* browsers.update({ ...browser, accounts })
      })
    )

  const secretsOf = async (
    studio: Studio,
    permissions: ReadonlyArray<string>,
    environmentIds?: ReadonlyArray<number>
  ) => {
    const scope = { permissions, ...(environmentIds === undefined ? {} : { environmentIds }) }
    return {
      personal: await mintPersonalToken(request, studio, scope),
      secret: await mintKey(request, studio, scope),
      public: await mintKey(request, studio, {
        ...scope,
        type: "public",
        permissions: permissions.length === 0 ? [] : ["sdk:ingest", "sdk:read", "queries:write"]
      })
    }
  }
  const headersOf = (tokens: Readonly<Record<"personal" | "secret" | "public", string>>) => ({
    personal: bearer(tokens.personal),
    secret: bearer(tokens.secret),
    public: { authorization: tokens.public }
  })

  beforeAll(async () => {
    const own = await openStudio(request, "ada")
    const foreign = await openStudio(request, "bob")
    const twin = await openStudio(request, "ada-again")
    await expireSession(twin.cookie.cookie)
    const role = await request("POST", `/organization/${own.organizationId}/v2/roles`, {
      headers: own.cookie,
      body: { name: "Nothing", permissions: [] }
    })
    const powerless = { cookie: await joinStudio(request, own, "eve", "Nothing") }
    const past = { expiresAt: DateTime.unsafeMake(1) }
    const [good, bare, late, dead, development] = [
      await secretsOf(own, allPermissions),
      await secretsOf(own, []),
      await secretsOf(own, allPermissions),
      await secretsOf(own, allPermissions),
      await secretsOf(own, allPermissions, [own.development])
    ]
    for (const token of Object.values(late)) await spoil(token, past)
    for (const token of Object.values(dead)) await spoil(token, { deactivatedAt: DateTime.unsafeMake(1) })
    const keys = await request("GET", `/organization/${own.organizationId}/api-keys`, { headers: own.cookie })
    const tokens = await request("GET", "/users/personal-access-tokens", { headers: own.cookie })
    const configuration = await request("POST", `/application/${own.applicationId}/v2/configuration`, {
      headers: own.cookie,
      body: { name: "Shop" }
    })
    const experiment = await request("POST", `/application/${own.applicationId}/v2/experiments`, {
      headers: own.cookie,
      body: {
        name: "Shop",
        unitType: "user",
        assignmentMode: "weightedHash",
        baseConfigurationId: configuration.body.id,
        groups: ["a", "b"].map((name) => ({ name, weight: 5000 }))
      }
    })
    const { organizationId, applicationId, membershipId, production } = own
    world = {
      own,
      foreign,
      ids: {
        organizationId,
        applicationId,
        membershipId,
        environmentId: production,
        roleId: role.body.id,
        apiKeyId: keys.body[0].id,
        patId: tokens.body[0].id,
        configurationId: configuration.body.id,
        experimentId: experiment.body.id,
        version: 1
      },
      valid: { session: own.cookie, ...headersOf(good) },
      foreigners: { session: foreign.cookie, ...headersOf(await secretsOf(foreign, allPermissions)) },
      powerless: { session: powerless.cookie, ...headersOf(bare) },
      unknown: {
        session: { cookie: `auth-token=${"A".repeat(43)}` },
        personal: bearer(`gk_pat_${"A".repeat(38)}`),
        secret: bearer(good.secret.slice(0, -1) + (good.secret.endsWith("0") ? "1" : "0")),
        public: { authorization: "sdk_" }
      },
      expired: { session: twin.cookie, ...headersOf(late) },
      deactivated: headersOf(dead),
      elsewhere: headersOf(development)
    }
  }, 120_000)

  const refuse = async (endpoint: Endpoint, headers: Headers, status: number, code?: string, ids = world.ids) => {
    const environment = endpoint.headers === undefined ? {} : { environment_id: String(world.own.production) }
    const answer = await request(endpoint.method, pathIn(endpoint.path + (parameters.get(endpoint.name) ?? ""), ids), {
      headers: { ...environment, ...headers },
      ...(endpoint.rawBody || bodyOf(endpoint) === undefined ? {} : { body: bodyOf(endpoint) })
    })
    assert.deepStrictEqual(
      [answer.status, answer.body?.code ?? answer.text],
      [status, code ?? answer.body?.code],
      `${endpoint.method} ${endpoint.path} with ${JSON.stringify(headers)}: ${answer.text} (parameters that it needs belong into test/support/AcceptableRequests.ts)`
    )
    const expected = endpoint.path.startsWith("/sdk/") ? [...envelopeKeys, "errorCode"].sort() : envelopeKeys
    assert.deepStrictEqual(Object.keys(answer.body).sort(), expected)
  }

  const unchanged = async (calls: () => Promise<void>) => {
    const before = [await snapshot(request, world.own), await snapshot(request, world.foreign)]
    await calls()
    assert.deepStrictEqual([await snapshot(request, world.own), await snapshot(request, world.foreign)], before)
  }

  it("has something to refuse", () => {
    assert.isAbove(guarded.length, 50)
  })

  it("refuses a missing, unknown, expired or deactivated credential, and changes nothing", () =>
    unchanged(async () => {
      for (const endpoint of guarded) {
        await refuse(endpoint, {}, 401, "UNAUTHENTICATED")
        for (const kind of endpoint.kinds) {
          await refuse(endpoint, world.unknown[kind], 401, "UNAUTHENTICATED")
          if (!aboutBrowser.test(endpoint.name)) await refuse(endpoint, world.expired[kind], 401, "UNAUTHENTICATED")
          if (kind !== "session") await refuse(endpoint, world.deactivated[kind], 401, "UNAUTHENTICATED")
        }
      }
    }))

  it("refuses a good credential of a kind that the endpoint does not take, and changes nothing", () =>
    unchanged(async () => {
      for (const endpoint of guarded) {
        for (const kind of kinds.filter((each) => !endpoint.kinds.includes(each))) {
          const code = aboutBrowser.test(endpoint.name) ? "UNAUTHENTICATED" : "CREDENTIAL_NOT_ACCEPTED"
          await refuse(endpoint, world.valid[kind], 401, code)
        }
      }
    }))

  it("refuses who lacks the permission, and changes nothing", () =>
    unchanged(async () => {
      for (const endpoint of guarded) {
        for (const kind of endpoint.kinds.filter((each) => each !== "public" && needs(endpoint, each))) {
          await refuse(endpoint, world.powerless[kind], 403)
        }
      }
    }))

  it("shows another organization nothing, not even that something is there, and changes nothing", () =>
    unchanged(async () => {
      for (const endpoint of guarded.filter(({ path }) =>
        /:(organizationId|applicationId|apiKeyId|patId)/.test(path)
      )) {
        for (const kind of endpoint.kinds) await refuse(endpoint, world.foreigners[kind], 404)
      }
    }))

  it("refuses an environment of another project or out of the credential's scope, and changes nothing", () =>
    unchanged(async () => {
      for (const endpoint of guarded.filter(
        ({ inEnvironment, path, name }) =>
          (inEnvironment && path.includes(":applicationId")) || parameters.get(name)?.includes(":environmentId")
      )) {
        for (const kind of endpoint.kinds) {
          const foreign = { environment_id: String(world.foreign.production) }
          const ids = { ...world.ids, environmentId: world.foreign.production }
          await refuse(endpoint, { ...world.valid[kind], ...foreign }, 404, "ENVIRONMENT_NOT_FOUND", ids)
          if (kind === "personal" || kind === "secret") await refuse(endpoint, world.elsewhere[kind], 403, "FORBIDDEN")
        }
      }
    }))

  it("F1: refuses a token of one environment what all environments share, and changes nothing", () =>
    unchanged(async () => {
      const shared = guarded.filter(
        ({ requirement }) => requirement?.permission !== "none" && requirement?.scope === "environments"
      )
      assert.isAbove(shared.length, 10)
      for (const endpoint of shared) {
        for (const kind of endpoint.kinds) {
          if (kind !== "session") await refuse(endpoint, world.elsewhere[kind], 403, "FORBIDDEN")
        }
      }
    }))
})
