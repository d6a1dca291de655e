import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { IdentityProviderMemory } from "../../../src/adapters/memory/access/IdentityProvider.ts"
import { defaults } from "../../../src/app/Config.ts"
import type { Claims, GroupRole } from "../../../src/domain/access/OpenId.ts"
import type { UserId } from "../../../src/domain/Ids.ts"
import { PasskeyRepo } from "../../../src/ports/access/PasskeyRepo.ts"
import { UserRepo } from "../../../src/ports/access/UserRepo.ts"
import { caller, joinAs, refused, rolesOf } from "../../support/Caller.ts"
import { groupPeople } from "../../support/access/GroupPeople.ts"
import { sessionOf } from "../../support/access/OpenIdServer.ts"
import { vi } from "vitest"
import { cookieOf, enter, password } from "../../support/access/Person.ts"
import { softAuthenticator } from "../../support/access/SoftAuthenticator.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { makeGate } from "../../support/Gate.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const publicUrl = "https://live.studio.example"
const place = { origin: publicUrl, domain: "live.studio.example" }
const keys = "/users/me/passkeys"
const newPassword = "another battery staple"

const [account, challenge, passkey] = [makeGate(), makeGate(), makeGate()]

const heldAccounts = Layer.effect(
  UserRepo,
  Effect.map(UserRepo, (repo) => ({ ...repo, find: (id: UserId) => Effect.zipLeft(repo.find(id), account.pass) }))
)

const heldPasskeys = Layer.effect(
  PasskeyRepo,
  Effect.map(PasskeyRepo, (repo) => ({
    ...repo,
    takeChallenge: (hash: string) => Effect.zipLeft(repo.takeChallenge(hash), challenge.pass),
    findByCredential: (id: string) => Effect.zipLeft(repo.findByCredential(id), passkey.pass)
  }))
)

describe.each(stores)("what is under way while the sessions of an account are ended, over %s", (_, store) => {
  const people = new Map<string, Claims>()
  const roles: Array<GroupRole> = []
  const held = Layer.provide(Layer.merge(heldAccounts, heldPasskeys), store)
  const { request } = testApp(Layer.mergeAll(store, held, IdentityProviderMemory(people)), {
    oidc: { ...defaults.oidc, issuer: "https://provider.test", clientId: "gamekeeper", roles },
    publicUrl
  })
  const { arrive } = groupPeople(request, people)
  let studio: Studio
  let crew = 0

  beforeAll(async () => {
    studio = await openStudio(request, "owner")
    roles.push({ group: "leads", organizationId: studio.organizationId, role: "admin" })
    crew = (await rolesOf(caller(request, studio.cookie), studio.organizationId))["Developer"] ?? 0
  })

  const scope = (environment: number) => ({
    projectScope: { allProjects: true },
    environmentIds: [environment],
    permissions: ["markers:read"]
  })

  const lasting: ReadonlyArray<readonly [what: string, path: () => string, body: () => object]> = [
    [
      "token",
      () => "/users/personal-access-tokens",
      () => ({ name: "kept", organizationId: studio.organizationId, ...scope(studio.production) })
    ],
    [
      "key",
      () => `/organization/${studio.organizationId}/api-keys`,
      () => ({ type: "secret", name: "kept", ...scope(studio.production) })
    ],
    [
      "invitation",
      () => `/organization/${studio.organizationId}/invitations`,
      () => ({ email: "friend@elsewhere.test", roleId: crew })
    ]
  ]

  it.each(lasting)(
    "makes no %s for who had taken somebody's address before the provider vouched for them",
    async (what, path, body) => {
      const squatter = await enter(request, `${what}@studio.test`)
      const answer = await account.overtaken(
        () => request("POST", path(), { headers: { cookie: squatter }, body: body() }),
        async () => assert.strictEqual((await arrive(what, ["leads"])).status, 302)
      )
      refused(answer, 404, "ORGANIZATION_NOT_FOUND")
      // The person whose address it is may do the same.
      const session = sessionOf(await arrive(what, ["leads"]))
      assert.strictEqual((await request("POST", path(), { headers: { cookie: session }, body: body() })).status, 201)
    }
  )

  it("makes no token for the organization that somebody else had in the account before", async () => {
    // Long enough ago for the organization to be nothing that came with the person whose address it is.
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 600_000)
    const squatter = { cookie: await enter(request, "squatted@studio.test") }
    clock.mockRestore()
    const [own] = (await request("GET", "/organization", { headers: squatter })).body
    const environments = `/application/${own.applications[0].id}/environments`
    const [first] = (await request("GET", environments, { headers: squatter })).body
    const body = { name: "kept", organizationId: own.id, ...scope(first.id) }
    const answer = await account.overtaken(
      () => request("POST", "/users/personal-access-tokens", { headers: squatter, body }),
      async () => assert.strictEqual((await arrive("squatted", [])).status, 302)
    )
    refused(answer, 403, "FORBIDDEN")
    const person = { cookie: sessionOf(await arrive("squatted", [])) }
    assert.deepStrictEqual((await request("GET", "/users/personal-access-tokens", { headers: person })).body, [])
    assert.strictEqual((await request("POST", "/users/personal-access-tokens", { headers: person, body })).status, 201)
  })

  const memberWith = async (name: string) => {
    const member = await joinAs(request, studio, name, "Viewer")
    const headers = member.cookie
    const options = async () =>
      (await request("POST", `${keys}/options`, { headers, body: { currentPassword: password } })).body.challenge
    const add = (response: object) => request("POST", keys, { headers, body: { name: "My laptop", response } })
    return { member, options, add }
  }

  /** Somebody else than the person may know the password, and be signed in. */
  const reset = async (membershipId: number) => {
    const path = `/organization/${studio.organizationId}/members/${membershipId}/password-reset`
    const { token } = (await caller(request, studio.cookie)("POST", path)).body
    const used = await request("POST", "/users/auth/password-reset", { body: { token, password: newPassword } })
    assert.strictEqual(used.status, 204, used.text)
  }

  const signIn = async (authenticator: ReturnType<typeof softAuthenticator>) => {
    const asked = (await request("POST", "/users/auth/passkey/options")).body.challenge
    return request("POST", "/users/auth/passkey", { body: { response: authenticator.use({ challenge: asked }) } })
  }

  it("adds no passkey to an account whose password is reset meanwhile", async () => {
    const { member, options, add } = await memberWith("adding")
    const authenticator = softAuthenticator(place)
    const made = authenticator.make({ challenge: await options() })
    const answer = await challenge.overtaken(
      () => add(made),
      () => reset(member.membershipId)
    )
    refused(answer, 403, "FORBIDDEN")
    refused(await signIn(authenticator), 401, "PASSKEY_REFUSED")
  })

  it("opens no session by a passkey that a reset of the password takes away meanwhile", async () => {
    const { member, options, add } = await memberWith("entering")
    const authenticator = softAuthenticator(place)
    assert.strictEqual((await add(authenticator.make({ challenge: await options() }))).status, 201)
    const answer = await passkey.overtaken(
      () => signIn(authenticator),
      () => reset(member.membershipId)
    )
    refused(answer, 401, "PASSKEY_REFUSED")
    assert.deepStrictEqual(answer.headers.getSetCookie(), [])
    const entered = await request("POST", "/users/auth/signin", {
      body: { email: "entering@studio.test", password: newPassword }
    })
    const cookie = cookieOf(entered) ?? ""
    const log = (await request("GET", "/users/sign-ins", { headers: { cookie } })).body
    const outcomes = log.map(({ outcome }: { outcome: string }) => outcome)
    assert.deepStrictEqual(outcomes.slice(0, 2), ["signedIn", "passwordReset"])
  })
})
