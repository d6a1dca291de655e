import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { StoredExperimentPlan } from "../../../schema/experiments/ExperimentRecord.ts"
import { refused } from "../../support/Caller.ts"
import { document, mediaOf, operationOf, operations } from "../../support/Document.ts"
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
    const asked = named.map(([operation]) => operation)
    assert.includeMembers(asked, ["accounts.signUp", "organizations.create", "projects.create", "apiKeys.create"])
    assert.includeMembers(asked, ["configurations.create", "experiments.create", "cohorts.create", "roles.create"])
  })

  it.each(named)("is refused by %s", async (_, method, path, example) => {
    for (const name of ["   ", "\u00a0\t\n", "\u2003\u3000\ufeff"]) {
      const headers = { ...studio.cookie, environment_id: String(studio.production) }
      const answer = await request(method, path, { headers, body: { ...example, name } })
      refused(answer, 400, "VALIDATION_FAILED")
      assert.match(answer.body.message, /^name: expected \d+ to \d+ characters, not only spaces$/)
    }
  })

  it("is answered where somebody has given it before", () => {
    const group = { name: " ", label: " ", weight: 5000 }
    const metric = { id: "A", name: " ", type: "proportion", marker: "Purchase" }
    const plan = {
      name: " ",
      unitType: "user",
      assignmentMode: "weightedHash",
      baseConfigurationId: 1,
      groups: [group],
      metrics: { goals: [metric] }
    }
    assert.strictEqual(Schema.decodeUnknownSync(StoredExperimentPlan)(plan).metrics.goals[0]?.name, " ")
    const patterns = (value: unknown, seen: ReadonlySet<string>): boolean => {
      if (typeof value !== "object" || value === null) return false
      if ("$ref" in value && typeof value.$ref === "string") {
        const name = value.$ref.split("/").at(-1) ?? ""
        return !seen.has(name) && patterns(document.components.schemas[name], new Set([...seen, name]))
      }
      if ("pattern" in value && value.pattern === "\\S") return true
      return Object.values(value).some((each) => patterns(each, seen))
    }
    const demanding = operations.filter(({ operation }) => patterns(operation.responses, new Set()))
    assert.deepStrictEqual(
      demanding.map(({ operation }) => operation.operationId),
      []
    )
  })
})
