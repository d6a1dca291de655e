import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { execFile } from "node:child_process"
import { copyFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import openapiTS, { astToString } from "openapi-typescript"
import { document, mediaOf, operations, text } from "../../support/Document.ts"
import { root, withFolder } from "../../support/Server.ts"

const options = [
  "--ignoreConfig",
  "--strict",
  "--exactOptionalPropertyTypes",
  "--noEmit",
  "--allowImportingTsExtensions",
  "--module",
  "nodenext"
]

const pointer = (...keys: ReadonlyArray<string>) =>
  `openapi.json#/${keys.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`

describe("programs that read the OpenAPI document", () => {
  it("H1: openapi-typescript makes types with which configurations, metadata and context can be written", () =>
    withFolder(async (folder) => {
      const types = astToString(await openapiTS(text))
      const empty = types.split("\n").filter((line) => line.includes("Record<string, never>"))
      assert.deepStrictEqual(empty, [
        "export type webhooks = Record<string, never>;",
        "export type $defs = Record<string, never>;"
      ])
      writeFileSync(join(folder, "api.ts"), types)
      copyFileSync(join(root, "test/fixtures/openapi/Calls.ts"), join(folder, "Calls.ts"))
      const compiler = join(root, ".ci/types.mjs")
      const ended = await promisify(execFile)(process.execPath, [compiler, ...options, join(folder, "Calls.ts")]).catch(
        ({ stdout }: { stdout: string }) => ({ stdout })
      )
      assert.strictEqual(ended.stdout, "")
    }))

  const complaints: Array<string> = []
  const complain = (...words: ReadonlyArray<unknown>) => void complaints.push(words.join(" "))
  const ajv = new Ajv2020({
    allErrors: true,
    strict: "log",
    allowUnionTypes: true,
    keywords: Object.keys(document),
    formats: { "date-time": true, email: true, uuid: true },
    logger: { log: complain, warn: complain, error: complain }
  }).addSchema(document, "openapi.json")

  it("H1: ajv takes every schema of the document, all of them in one instance", () => {
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      assert.isTrue(ajv.validateSchema(schema), `${name}: ${ajv.errorsText()}`)
      assert.isDefined(ajv.getSchema(pointer("components", "schemas", name)), name)
    }
    assert.deepStrictEqual(complaints, [])
  })

  it("H1: ajv finds every example as its schema says", () => {
    const refused = operations.flatMap(({ path, method, operation }) =>
      mediaOf(operation).flatMap(([type, { example }]) => {
        if (example === undefined) return []
        const at = pointer("paths", path, method.toLowerCase(), "requestBody", "content", type, "schema")
        const validate = ajv.getSchema(at)
        return validate?.(example) === true ? [] : [`${operation.operationId}: ${ajv.errorsText(validate?.errors)}`]
      })
    )
    assert.deepStrictEqual(refused, [])
  })
})
