import { assert, beforeAll, describe, it } from "@effect/vitest"
import { refused } from "../../support/Caller.ts"
import { mediaOf, operationOf } from "../../support/Document.ts"
import { endpoints } from "../../support/Endpoints.ts"
import { openStudio, type Studio } from "../../support/access/Studio.ts"
import { stores } from "../../support/Stores.ts"
import { testApp } from "../../support/TestApp.ts"

const { request } = testApp(stores[0][1])

const isNamed = (example: unknown): example is { readonly name: string } =>
  typeof example === "object" && example !== null && "name" in example && typeof example.name === "string"

const uuid = "6e0b5c36-2f5c-4d7e-9f3a-1f1f0f9f0a01"

const filled = (path: string): string =>
  path.replaceAll(/:(?:alert|board|deeplink|heatmap|query|webhook)Id/g, uuid).replaceAll(/:\w+/g, "1")

/** What people make and name by their session. */
const named = endpoints().flatMap(({ name: operation, method, path, kinds }) => {
  const [example] = mediaOf(operationOf(operation)).map(([, media]) => media.example)
  const isForPeople = kinds.length === 0 || kinds.includes("session")
  return isForPeople && isNamed(example) ? [[operation, method, filled(path), example] as const] : []
})

describe("a name that shows nothing", () => {
  let studio: Studio

  beforeAll(async () => {
    studio = await openStudio(request, "ada")
  })

  it("is asked of much", () => {
    const operations = named.map(([operation]) => operation)
    assert.includeMembers(operations, ["accounts.signUp", "organizations.create", "projects.create", "apiKeys.create"])
    assert.includeMembers(operations, ["configurations.create", "experiments.create", "cohorts.create", "roles.create"])
  })

  it.each(named)("is refused by %s", async (_, method, path, example) => {
    for (const name of ["   ", "\u00a0\t\n", "\u2003\u3000\ufeff"]) {
      const headers = { ...studio.cookie, environment_id: String(studio.production) }
      const answer = await request(method, path, { headers, body: { ...example, name } })
      refused(answer, 400, "VALIDATION_FAILED")
      assert.match(answer.body.message, /^name: expected \d+ to \d+ characters, not only spaces$/)
    }
  })
})
