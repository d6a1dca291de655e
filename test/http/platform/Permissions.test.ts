import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Arbitrary, FastCheck as fc, Option, Schema } from "effect"
import type { CredentialKind } from "../../../schema/access/Auth.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import type { Permission } from "../../../src/domain/access/Permission.ts"
import { allPermissions } from "../../../src/domain/access/Permission.ts"
import { parameters } from "../../support/AcceptableRequests.ts"
import { bearer, joinAs } from "../../support/Caller.ts"
import type { Endpoint } from "../../support/Endpoints.ts"
import { endpoints } from "../../support/Endpoints.ts"
import type { Studio } from "../../support/access/Studio.ts"
import { mintKey, mintPersonalToken, openStudio } from "../../support/access/Studio.ts"
import { pathIn, snapshot } from "../../support/analytics/Snapshot.ts"
import { testApp } from "../../support/TestApp.ts"

type Headers = Record<string, string>

const ofPublicKeys: ReadonlySet<Permission> = new Set<Permission>(["sdk:ingest", "sdk:read", "queries:write"])

/** Bodies that ask for the permission of the endpoint alone, and leave the projects, the environments and the rights of sessions as they are. */
const bodies = new Map<string, unknown>([
  ["organizations.update", { name: "Renamed" }],
  ["ingest.markers", { markers: [{ type: "Login", timestamp: "2026-11-20T10:00:00Z" }] }],
  ["experiments.terminate", { reason: "enough" }],
  ["environments.create", { name: "Production" }],
  ["projects.create", { name: "Another", timezone: "Nowhere/Else" }]
])

const bodyOf = ({ name, payload, rawBody }: Endpoint): unknown => {
  if (payload !== undefined && !rawBody && !bodies.has(name)) {
    const samples = fc.sample(Arbitrary.make(payload), { numRuns: 50, seed: 7 })
    bodies.set(name, Option.getOrThrow(Option.firstSomeOf(samples.map((value) => Schema.encodeOption(payload)(value)))))
  }
  return bodies.get(name)
}

/** Deletions last, and the project's at the very end, so that each endpoint finds what it asks for. */
const order = ({ method, name }: Endpoint) => (name === "projects.remove" ? 2 : method === "DELETE" ? 1 : 0)

const asking = endpoints()
  .filter(({ requirement, kinds }) => kinds.length > 0 && requirement?.permission !== "none")
  .sort((a, b) => order(a) - order(b))

describe("the permission that the contract names", () => {
  const { request } = testApp(MemoryStores)
  let studio: Studio
  let ids: Readonly<Record<string, string | number>>
  let headersOf: Readonly<Record<CredentialKind, Headers>>
  let setPermissions: (kind: CredentialKind, permissions: ReadonlyArray<Permission>) => Promise<void>

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
    const home = `/organization/${studio.organizationId}`
    const owner = { headers: studio.cookie }
    const role = async (name: string) =>
      (await request("POST", `${home}/v2/roles`, { ...owner, body: { name, permissions: [] } })).body.id
    const acting = await role("Acting")
    await role("Nothing")
    const actor = await joinAs(request, studio, "actor", "Acting")
    const bystander = await joinAs(request, studio, "bystander", "Nothing")
    const { organizationId, applicationId, development } = studio
    ids = {
      organizationId,
      applicationId,
      environmentId: development,
      membershipId: bystander.membershipId,
      version: 1
    }
    headersOf = {
      session: actor.cookie,
      personal: bearer(await mintPersonalToken(request, studio, {})),
      secret: bearer(await mintKey(request, studio, {})),
      public: { authorization: await mintKey(request, studio, { type: "public" }) }
    }
    const keys: ReadonlyArray<{ id: number; type: string }> = [
      ...(await request("GET", `${home}/api-keys`, owner)).body,
      ...(await request("GET", "/users/personal-access-tokens", owner)).body
    ]
    const idOf = (type: string) => keys.find((key) => key.type === type)!.id
    const paths: Record<CredentialKind, string> = {
      session: `${home}/v2/roles/${acting}`,
      personal: `/users/personal-access-tokens/${idOf("personal")}/permissions`,
      secret: `${home}/api-keys/${idOf("secret")}/permissions`,
      public: `${home}/api-keys/${idOf("public")}/permissions`
    }
    setPermissions = async (kind, permissions) => {
      const possible = kind === "public" ? permissions.filter((each) => ofPublicKeys.has(each)) : permissions
      const body = kind === "session" ? { name: "Acting", permissions: possible } : { permissions: possible }
      const answer = await request("PUT", paths[kind], { ...owner, body })
      assert.strictEqual(answer.status, 200, answer.text)
    }
  }, 60_000)

  const ask = (endpoint: Endpoint, kind: CredentialKind) => {
    const environment = { environment_id: String(studio.production), environment: "production" }
    const body = bodyOf(endpoint)
    return request(endpoint.method, pathIn(endpoint.path + (parameters.get(endpoint.name) ?? ""), ids), {
      headers: { ...environment, ...headersOf[kind] },
      ...(body === undefined ? {} : { body })
    })
  }

  /** Sessions list their organizations without any permission, as the contract's note says. */
  const callers = (endpoint: Endpoint) =>
    endpoint.kinds.filter((kind) => !(endpoint.name === "organizations.list" && kind === "session"))

  const each = async (
    permissionsFor: (permission: Permission, also: ReadonlyArray<Permission>) => ReadonlyArray<Permission>,
    check: (endpoint: Endpoint, kind: CredentialKind) => Promise<void>
  ) => {
    let present: string | undefined
    for (const endpoint of asking) {
      const { requirement } = endpoint
      if (requirement === undefined || requirement.permission === "none") continue
      for (const kind of callers(endpoint)) {
        const { permission, also } = requirement
        const key = `${kind} ${permission} ${also.join()}`
        if (key !== present) await setPermissions(kind, permissionsFor(permission, also))
        present = key
        await check(endpoint, kind)
      }
    }
  }

  it("refuses with 403 a credential that holds everything but that, and changes nothing", async () => {
    const before = await snapshot(request, studio)
    await each(
      (permission) => allPermissions.filter((other) => other !== permission),
      async (endpoint, kind) => {
        const answer = await ask(endpoint, kind)
        const said = `${endpoint.name} with ${kind}: ${answer.text}`
        assert.deepStrictEqual([answer.status, answer.body?.code], [403, "FORBIDDEN"], said)
      }
    )
    for (const kind of ["session", "personal", "secret"] as const) await setPermissions(kind, [])
    // The test itself has changed the permissions, which the log of changes tells.
    const unlogged = (text: string) =>
      JSON.stringify(JSON.parse(text).filter(([name]: [string]) => !name.startsWith("audit.")))
    const forget = (text: string) => unlogged(text).replaceAll(/"(updatedAt|permissions)":("[^"]*"|\[[^\]]*\])/g, "")
    assert.strictEqual(forget(await snapshot(request, studio)), forget(before))
  })

  it("refuses with 403 a credential that lacks one of several", async () => {
    for (const endpoint of asking) {
      const { requirement } = endpoint
      if (requirement === undefined || requirement.permission === "none") continue
      const { permission, also } = requirement
      for (const lacked of also) {
        for (const kind of callers(endpoint)) {
          await setPermissions(
            kind,
            [permission, ...also].filter((each) => each !== lacked)
          )
          const answer = await ask(endpoint, kind)
          assert.strictEqual(answer.body?.code, "FORBIDDEN", `${endpoint.name} with ${kind}: ${answer.text}`)
        }
      }
    }
  })

  it("is enough: a credential that holds nothing else is not refused with 403", async () => {
    await each(
      (permission, also) => [permission, ...also],
      async (endpoint, kind) => {
        const answer = await ask(endpoint, kind)
        assert.notInclude(
          ["FORBIDDEN", "UNAUTHENTICATED"],
          answer.body?.code,
          `${endpoint.name} with ${kind}: ${answer.text}`
        )
      }
    )
  })
})
