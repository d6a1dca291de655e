import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { OrganizationId, UserId } from "../../../src/domain/Ids.ts"
import { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { OrganizationRepo } from "../../../src/ports/access/OrganizationRepo.ts"
import { mostKeys } from "../../../src/services/access/Keys.ts"
import { mostOrganizations } from "../../../src/services/access/Organizations.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { newKey } from "../../support/access/Tenants.ts"
import { caller, refused } from "../../support/Caller.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

describe.each(stores)("what a person makes over %s has a limit in number:", (_, store) => {
  const { request, run } = testApp(store)

  const opened = async (name: string) => {
    const studio = await openStudio(request, name)
    const call = caller(request, studio.cookie)
    const userId = UserId.make((await call("GET", "/users/me")).body.id)
    return { studio, call, userId, organizationId: OrganizationId.make(studio.organizationId) }
  }

  const filled = (count: number, key: ReturnType<typeof newKey>) =>
    run(
      Effect.forEach(Array.from({ length: count }), () =>
        Effect.flatMap(CredentialRepo, (keys) =>
          keys.insert({ ...newKey(key.organizationId), type: key.type, userId: key.userId })
        )
      )
    )

  const kinds = [
    ["keys of an organization", "secret", "/organization/:organization/api-keys", "keys"],
    ["personal access tokens", "personal", "/users/personal-access-tokens", "personal access tokens"]
  ] as const

  it.each(kinds)("%s", async (_title, type, place, called) => {
    const { studio, call, userId, organizationId } = await opened(`full-${type}`)
    const path = place.replace(":organization", String(organizationId))
    const body = {
      ...(type === "secret" ? { type } : { organizationId }),
      name: "Last",
      projectScope: { allProjects: true },
      environmentIds: [studio.production],
      permissions: []
    }
    const present = (await call("GET", path)).body.length
    await filled(mostKeys - present - 1, newKey(organizationId, { type, userId: type === "personal" ? userId : null }))
    const last = await call("POST", path, body)
    assert.strictEqual(last.status, 201, last.text)
    const full = await call("POST", path, body)
    refused(full, 409, "KEY_LIMIT_REACHED")
    assert.include(full.body.message, `at most 1,000 ${called}`)
    const [first, second] = (await call("GET", path)).body
    for (const { id } of [second, first]) assert.strictEqual((await call("DELETE", `${path}/${id}`)).status, 200)
    assert.strictEqual((await call("POST", path, body)).status, 201)
    const all: ReadonlyArray<{ readonly id: number }> = (await call("GET", path)).body
    assert.lengthOf(all, mostKeys)
    // That which was deactivated first has gone.
    assert.deepStrictEqual(
      [first.id, second.id, last.body.id].map((id) => all.some((each) => each.id === id)),
      [true, false, true]
    )
  })

  it("organizations", async () => {
    const { call, userId } = await opened("founder")
    const present = (await call("GET", "/organization")).body.length
    const another = Effect.gen(function* () {
      const organizations = yield* OrganizationRepo
      const createdAt = yield* DateTime.now
      const { id: organizationId } = yield* organizations.insert({
        name: "One more",
        color: null,
        iconTag: null,
        createdAt
      })
      return yield* organizations.addMember({ organizationId, userId, createdAt })
    })
    await run(Effect.forEach(Array.from({ length: mostOrganizations - present - 1 }), () => another))
    const atOnce = await Promise.all(["One", "Two", "Three"].map((name) => call("POST", "/organization", { name })))
    assert.deepStrictEqual(atOnce.map(({ status }) => status).toSorted(), [201, 409, 409])
    refused(await call("POST", "/organization", { name: "Another" }), 409, "ORGANIZATION_LIMIT_REACHED")
  })
})
