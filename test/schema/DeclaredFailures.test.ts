import { OpenApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { Predicate } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { Api } from "../../schema/Api.ts"

const root = resolve(import.meta.dirname, "../..")

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => join(root, folder, file))

const operations = Object.values(OpenApi.fromApi(Api).paths).flatMap((item) => Object.values(item))

const codesOf = ({ responses }: OpenApi.OpenAPISpecOperation): ReadonlyArray<string> =>
  Object.entries(responses).flatMap(([status, { description }]) =>
    Number(status) >= 400 ? description.split(", ") : []
  )

describe("A6: the failures that the contract declares", () => {
  it("are none of an operation that is not there yet", () => {
    assert.deepStrictEqual(
      operations.filter(({ responses }) => "501" in responses).map(({ operationId }) => operationId),
      []
    )
  })

  it("are about a body only where an operation has one", () => {
    const ofBodies = ["MALFORMED_JSON", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"]
    for (const operation of operations) {
      const declared = codesOf(operation).filter((code) => ofBodies.includes(code))
      assert.sameMembers(declared, operation.requestBody === undefined ? [] : ofBodies, operation.operationId)
    }
  })

  it("are each made somewhere in the server, and declared by an operation", async () => {
    const sources = filesIn("src").map((file) => readFileSync(file, "utf8"))
    const declared = new Set(operations.flatMap(codesOf))
    const modules: ReadonlyArray<object> = await Promise.all(
      filesIn("schema")
        .filter((file) => file.endsWith("Errors.ts"))
        .map((file) => import(file))
    )
    const names = modules.flatMap((module) =>
      Object.values(module).flatMap((value) => (Predicate.isFunction(value) && "ast" in value ? [value.name] : []))
    )
    assert.isAbove(names.length, 50)
    const codeOf = (name: string) => name.replace(/(?<!^)(?=[A-Z])/g, "_").toUpperCase()
    const isMade = (name: string) => {
      const made = new RegExp(`\\b(new ${name}\\(|${name}\\.\\w+\\()`)
      return sources.some((source) => made.test(source))
    }
    assert.deepStrictEqual(
      names.filter((name) => !isMade(name) || !declared.has(codeOf(name))),
      []
    )
  })
})
