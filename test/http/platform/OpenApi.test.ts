import { assert, describe, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { document, mediaOf, operationOf, operations, text } from "../../support/Document.ts"
import { endpoints } from "../../support/Endpoints.ts"

/** What the linter recommends and the document does not follow, each for its reason. */
const accepted = [
  // A user's id is a UUID: no address matches both paths.
  "no-ambiguous-paths #/paths/~1users~1identities~1{identityId}",
  "no-ambiguous-paths #/paths/~1users~1personal-access-tokens~1{patId}",
  "no-ambiguous-paths #/paths/~1users~1{userId}~1picture",
  // A link only ever redirects.
  "operation-2xx-response #/paths/~1d~1{slug}/get/responses",
  "operation-2xx-response #/paths/~1users~1auth~1oidc~1callback/get/responses",
  "operation-2xx-response #/paths/~1users~1auth~1oidc~1start/get/responses"
]

describe("the OpenAPI document", () => {
  it("is valid and follows every recommended rule", async () => {
    const config = await createConfig({ extends: ["recommended"] })
    const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config })
    assert.deepStrictEqual(
      problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer ?? ""}`).sort(),
      accepted
    )
  })

  it("holds every endpoint of the contract", () => {
    assert.deepStrictEqual(
      operations.map(({ operation }) => operation.operationId).sort(),
      endpoints()
        .map(({ name }) => name)
        .sort()
    )
  })

  it("says which credentials an endpoint takes, as alternatives", () => {
    for (const { name, kinds } of endpoints().filter((endpoint) => endpoint.kinds.length > 0)) {
      assert.deepStrictEqual(
        operationOf(name).security,
        kinds.map((kind) => ({ [kind]: [] })),
        name
      )
    }
    assert.deepStrictEqual(operationOf("accounts.signUp").security, [])
    assert.deepStrictEqual(operationOf("accounts.list").security, [{}, { session: [] }])
  })

  it("names every permission that an endpoint asks for, in words and for programs", () => {
    for (const { name, requirement } of endpoints()) {
      const { "x-permission": named, description } = operationOf(name)
      const all =
        requirement?.permission === "none" ? [] : [requirement?.permission ?? "", ...(requirement?.also ?? [])]
      assert.deepStrictEqual([named.permission, ...(named.also ?? [])], all.length === 0 ? ["none"] : all, name)
      for (const each of all) assert.include(description, `\`${each}\``, name)
    }
    assert.deepStrictEqual(operationOf("players.configuration")["x-permission"].also, [
      "configurations:read",
      "experiments:read"
    ])
  })

  it("lists failures of the server only, by their codes", () => {
    assert.notInclude(text, "HttpApiDecodeError")
    for (const { operation } of operations) {
      for (const [status, { description }] of Object.entries(operation.responses)) {
        if (operation.operationId === "system.ready" && status === "503") assert.strictEqual(description, "Not ready")
        else if (Number(status) >= 400) assert.match(description, /^[A-Z_]+(, [A-Z_]+)*$/, operation.operationId)
      }
    }
  })

  it("adds the field that game SDKs read to the failures of their side alone", () => {
    for (const { path, operation } of operations) {
      for (const [status, response] of Object.entries(operation.responses)) {
        const isOpen = JSON.stringify(response).includes("SdkFailure")
        assert.strictEqual(isOpen, path.startsWith("/sdk/") && Number(status) >= 400, `${path} ${status}`)
      }
    }
  })

  it("types the parameters of paths", () => {
    for (const { path, operation } of operations) {
      for (const { name, in: place, schema } of operation.parameters) {
        if (place !== "path") continue
        const isText =
          /^(handle|token|slug|name|serverId|unitId|userId|heatmapId|boardId|queryId|deeplinkId|webhookId|alertId|backupId)$/.test(
            name
          )
        assert.strictEqual(schema.type, isText ? "string" : "integer", `${path} ${name}`)
      }
    }
  })

  it("H1: says what every operation and every parameter is", () => {
    const silent = operations.flatMap(({ operation }) =>
      [operation, ...operation.parameters.map((each) => ({ ...each, operationId: operation.operationId }))].filter(
        ({ description }) => description === undefined || description.length < 5
      )
    )
    assert.deepStrictEqual(
      silent,
      [],
      "describe operations in schema/ with OpenApi.Summary, and parameters in schema/OpenApiWords.ts"
    )
  })

  it("H1: bounds every count of items and pages, and says what counts without one", () => {
    const counts = operations.flatMap(({ operation }) =>
      operation.parameters.filter(({ name }) => /^(limit|page|pageSize)$/.test(name))
    )
    assert.isAbove(counts.length, 10)
    for (const { schema } of counts) {
      assert.containSubset(schema, { type: "integer", minimum: 1 })
      assert.isAtMost(schema.default ?? Infinity, schema.maximum ?? 0)
    }
  })

  it("H1: groups the tags as the specification labels them, each in one group", () => {
    const groups = document["x-tagGroups"]
    assert.deepStrictEqual(
      groups.map(({ name }) => name),
      ["User", "Organization API", "Server API", "Project API", "Game API", "Server"]
    )
    assert.deepStrictEqual(groups.flatMap(({ tags }) => tags).sort(), document.tags.map(({ name }) => name).sort())
    const groupOf = (tag: string) => groups.find(({ tags }) => tags.includes(tag))?.name
    assert.deepStrictEqual(
      ["API keys", "Roles", "Organization icon", "Analytics queries", "Cohorts", "Markers"].map(groupOf),
      ["Organization API", "Organization API", "Organization API", "Server API", "Server API", "Server API"]
    )
    assert.deepStrictEqual(["Configurations", "Deeplinks", "Experiments", "User authentication"].map(groupOf), [
      "Project API",
      "Project API",
      "Project API",
      "User"
    ])
  })

  it("H1: shows an example of every body", () => {
    const without = operations.filter(
      ({ operation }) =>
        operation.requestBody !== undefined && !mediaOf(operation).some(([, { example }]) => example !== undefined)
    )
    assert.deepStrictEqual(
      without.map(({ operation }) => operation.operationId),
      [],
      "give the schema of each of these bodies an example: example({...}) of schema/Example.ts"
    )
  })

  it("does not demand a body that may be left out", () => {
    const optional = operations.filter(({ operation }) => operation.requestBody?.required === false)
    assert.deepStrictEqual(
      optional.map(({ operation }) => operation.operationId),
      [
        "savedQueries.execute",
        "savedQueries.request",
        "configurations.copy",
        "experiments.terminate",
        "experimentDrafts.start"
      ]
    )
  })
})
