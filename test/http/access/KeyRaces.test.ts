import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { CredentialRepo } from "../../../src/ports/access/CredentialRepo.ts"
import { bearer, caller } from "../../support/Caller.ts"
import { openStudio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

/** Changes of keys that work take a while to be written, as they do over a network; ends of keys do not. */
const slowChanges = Layer.effect(
  CredentialRepo,
  Effect.map(CredentialRepo, (repo) => ({
    ...repo,
    update: (key: Parameters<typeof repo.update>[0]) =>
      Effect.delay(repo.update(key), key.deactivatedAt === null ? 100 : 0)
  }))
)

const changes: ReadonlyArray<readonly [what: string, method: string, path: string, body: object]> = [
  ["rotated", "POST", "/rotate", { overlap: 60 }],
  ["given other permissions", "PUT", "/permissions", { permissions: ["sdk:read"] }],
  ["moved to other projects", "PUT", "/projects", { allProjects: true }],
  ["renamed", "PATCH", "", { name: "Another name" }]
]

describe.each(stores)("a key that is revoked while somebody changes it, over %s", (_, store) => {
  const { request } = testApp(Layer.merge(store, Layer.provide(slowChanges, store)))

  it.each(changes)("stays revoked where it is %s", async (what, method, path, body) => {
    const studio = await openStudio(request, `racer-${what.replaceAll(" ", "-")}`)
    const call = caller(request, studio.cookie)
    const scope = { projectScope: { allProjects: true }, environmentIds: [studio.production], permissions: [] }
    const kinds = [
      [`/organization/${studio.organizationId}/api-keys`, { type: "secret", name: "server", ...scope }],
      ["/users/personal-access-tokens", { name: "mine", organizationId: studio.organizationId, ...scope }]
    ] as const
    for (const [place, made] of kinds) {
      const key = (await call("POST", place, made)).body
      const changed = call(method, `${place}/${key.id}${path}`, body)
      const ended = await call("DELETE", `${place}/${key.id}`)
      assert.strictEqual(ended.status, 200)
      const { body: written } = await changed
      const present = (await call("GET", place)).body.find(({ id }: { id: number }) => id === key.id)
      assert.isNotNull(present.deactivatedAt)
      for (const token of [key.token, written.token ?? key.token]) {
        assert.strictEqual((await request("GET", place, { headers: bearer(token) })).status, 401)
      }
    }
  })
})
