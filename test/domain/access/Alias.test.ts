import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { maxAliasCharacters, slug } from "../../../src/domain/access/Alias.ts"
import { runCount } from "../../support/Runs.ts"

describe("aliases", () => {
  it.each([
    ["Production", "production"],
    ["Load  test 2", "load-test-2"],
    [" -QA / Asia- ", "qa-asia"],
    ["Größe", "gre"],
    ["Gro\u0308\u00dfe", "gre"],
    ["日本", ""]
  ])("%s becomes %s", (name, alias) => assert.strictEqual(slug(name), alias))

  it("is a slug, and stays what it is when made again", () =>
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "grapheme", maxLength: 200 }), (name) => {
        const alias = slug(name)
        assert.match(alias, /^([a-z0-9]+(-[a-z0-9]+)*)?$/)
        assert.isAtMost(alias.length, maxAliasCharacters)
        assert.strictEqual(slug(alias), alias)
      }),
      { numRuns: runCount(1000) }
    ))
})
