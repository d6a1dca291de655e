import { assert, describe, it } from "@effect/vitest"
import { Either, ParseResult } from "effect"
import { readers } from "../../src/remote/FileSchemas.ts"

const placesOf = (value: unknown) => {
  const read = readers.cohorts(value)
  if (Either.isRight(read)) return []
  return ParseResult.ArrayFormatter.formatErrorSync(read.left).map(({ path }) => path.join("."))
}

describe("a file of a cohort that is wrong", () => {
  it.each([
    [{ name: "  ", kind: "static" }, ["name"]],
    [{ name: "Testers", kind: "static", definition: {} }, ["definition"]],
    [{ name: "  ", kind: "dynamic" }, ["definition", "name"]],
    [{ name: "Testers" }, ["definition"]],
    [{ name: "Testers", kind: "static" }, []]
  ])("%j is told once, and not what the other kind asks for", (value, places) => {
    assert.deepStrictEqual(placesOf(value).toSorted(), places)
  })
})
