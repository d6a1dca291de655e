import { assert, describe, it } from "@effect/vitest"
import { mentions } from "../../../src/domain/operations/Mentions.ts"

describe("whether a document names a unit", () => {
  it.each<[string, unknown, string, boolean]>([
    ["a text", { a: ["x", { b: "ann" }] }, "ann", true],
    ["a name", { ann: 1 }, "ann", true],
    ["a number", [{ owner: 1001 }], "1001", true],
    ["a longer number", [{ owner: 10_010 }], "1001", false],
    ["a short id in a longer text", { a: "annex" }, "ann", false],
    ["a long id in a longer text", { a: "gift to player-1!" }, "player-1", true],
    ["a long id in a longer name", { "from player-1": 1 }, "player-1", true],
    ["an id with marks that JSON escapes", { a: 'say "hi"\n' }, 'say "hi"\n', true],
    ["another id", { a: "bob", n: null, t: true }, "ann", false],
    ["an id beyond ASCII", ["Zoë 東京"], "Zoë 東京", true]
  ])("%s", (_case, document, id, expected) => {
    assert.strictEqual(mentions(JSON.stringify(document), id), expected)
  })
})
