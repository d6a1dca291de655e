import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Server.ts"

const builder = join(root, "node_modules/@effect/platform/dist/esm/HttpApiBuilder.js")

const lazyEndpoints = (): Promise<{ readonly compilingAtFirstUse: (source: string) => string | null }> =>
  import(join(root, "src", "lazyEndpoints.mjs"))

describe("the build", () => {
  it("puts off what the platform compiles of each endpoint until it is asked", async () => {
    const { compilingAtFirstUse } = await lazyEndpoints()
    const source = compilingAtFirstUse(readFileSync(builder, "utf8")) ?? ""
    const calls = [...source.matchAll(/.*Schema\.(?:decodeUnknown|encodeUnknown|encode)\b.*/g)].map(([line]) => line)
    // Of parameters in the query alone the platform itself compiles when they come.
    assert.deepStrictEqual(
      calls.filter((line) => !line.includes("__atFirstUse(() =>")).map((line) => line.trim()),
      ["request.urlParams = yield* Schema.decodeUnknown(schema)(normalizeUrlParams(urlParams, schema.ast));"]
    )
    assert.notMatch(source, /const errorSchema = makeErrorSchema/)
  })

  it("fails where the platform's source is another", async () => {
    const { compilingAtFirstUse } = await lazyEndpoints()
    const source = readFileSync(builder, "utf8")
    assert.isNull(compilingAtFirstUse(source.replace("(endpoint.pathSchema, Schema.decodeUnknown)", "")))
    assert.isNull(compilingAtFirstUse(""))
  })
})
