import { OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Api } from "../../../schema/Api.ts"
import { endpoints } from "../../support/Endpoints.ts"

interface Operation {
  readonly operationId: string
  readonly security: ReadonlyArray<Record<string, ReadonlyArray<string>>>
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly in: string; readonly schema: { type?: string } }>
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: object }>>
  readonly requestBody?: { readonly required: boolean }
}

const spec = OpenApi.fromApi(Api)
const text = JSON.stringify(spec)

const operations = Object.entries(spec.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    operation: operation as unknown as Operation
  }))
)

const operationOf = (name: string) => operations.find(({ operation }) => operation.operationId === name)!.operation

/** What the linter recommends and the document does not follow, each for its reason. */
const accepted = [
  // A user's id is a UUID: no address matches both paths.
  "no-ambiguous-paths #/paths/~1users~1personal-access-tokens~1{patId}",
  "no-ambiguous-paths #/paths/~1users~1{userId}~1picture",
  // A link only ever redirects.
  "operation-2xx-response #/paths/~1d~1{slug}/get/responses"
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
        const isText = /^(handle|token|slug|name|serverId|unitId|userId|heatmapId|queryId|deeplinkId)$/.test(name)
        assert.strictEqual(schema.type, isText ? "string" : "integer", `${path} ${name}`)
      }
    }
  })

  it("does not demand a body that may be left out", () => {
    const optional = operations.filter(({ operation }) => operation.requestBody?.required === false)
    assert.deepStrictEqual(
      optional.map(({ operation }) => operation.operationId),
      ["savedQueries.execute", "savedQueries.request", "configurations.copy", "experiments.terminate"]
    )
  })
})
