import { assert, describe, it } from "@effect/vitest"
import * as fc from "effect/FastCheck"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import type { Json } from "../../../src/domain/configuration/Document.ts"
import { shapeOf } from "../../../src/domain/configuration/Shape.ts"
import { typeDeclarations } from "../../../src/domain/configuration/TypeDeclarations.ts"

const schema = {
  type: "object",
  properties: {
    shop: { type: "object", properties: { price: { type: "integer" }, mode: { enum: ["sale", "full"] } } },
    tags: { type: "array", items: { type: "string" } }
  },
  required: ["tags"]
}
const document = { shop: { price: 5 }, "daily deal": true, end: 1 }
const types = [{ name: "Economy", shape: shapeOf(schema, document) }]

const body = (text: string) => text.slice(text.indexOf("\n\n") + 2)

describe("generated types", () => {
  it("follow the schema, and the document where it is silent", () => {
    assert.strictEqual(
      body(typeDeclarations("typescript", types)),
      [
        "export interface EconomyShop {",
        "  readonly price: number",
        '  readonly mode?: "sale" | "full"',
        "}",
        "",
        "export interface Economy {",
        "  readonly shop: EconomyShop",
        "  readonly tags: ReadonlyArray<string>",
        '  readonly "daily deal": boolean',
        "  readonly end: number",
        "}",
        ""
      ].join("\n")
    )
  })

  it("are written for Unity and Roblox too", () => {
    const csharp = typeDeclarations("csharp", types)
    assert.include(csharp, '    [JsonPropertyName("price")]\n    public long Price { get; set; } = default!;')
    assert.include(csharp, '    [JsonPropertyName("mode")]\n    public string? Mode { get; set; }')
    assert.include(csharp, '    [JsonPropertyName("daily deal")]\n    public bool DailyDeal { get; set; } = default!;')
    const luau = typeDeclarations("luau", types)
    assert.include(luau, '  mode: ("sale" | "full")?,')
    assert.include(luau, '  ["daily deal"]: boolean,\n  ["end"]: number,')
  })

  it("of C# stand beside the client, which has the same namespace, in Unity too", () => {
    const studio = ["Options", "json", "system", "List", "2 fast", "2-fast"]
    const shape = shapeOf(null, { "a b": 1, aB: 2, "2x": 3, equals: 4, "\u2028": 5 })
    const text = typeDeclarations(
      "csharp",
      studio.map((name) => ({ name, shape }))
    )
    assert.deepStrictEqual(
      [...text.matchAll(/class (\w+)/g)].map(([, name]) => name),
      ["Options2", "Json2", "System2", "List2", "Type2Fast", "Type2Fast2"]
    )
    assert.deepStrictEqual(
      [...text.slice(0, text.indexOf("class Json2")).matchAll(/(\w+) \{ get/g)].map(([, name]) => name),
      ["AB", "AB2", "Type2x", "Equals2", "Type"]
    )
    assert.include(text, 'JsonPropertyName("\\u2028")')
    // Unity has C# 9, in which a namespace has braces.
    assert.notMatch(text, /namespace \w+;/)
    assert.match(text, /namespace Gamekeeper\n\{[^]*\n\}\n$/)
  })

  it("of C# have no name that the client has", () => {
    const folder = join(import.meta.dirname, "../../../docs/clients/csharp")
    const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"))
    const names = sources.flatMap((source) =>
      [...source.matchAll(/^ {4}(?:\w+ )*(?:class|enum|interface|struct) (\w+)/gm)].map(([, name = ""]) => name)
    )
    assert.isAtLeast(names.length, 7)
    const shape = shapeOf(null, { price: 1 })
    const text = typeDeclarations(
      "csharp",
      names.map((name) => ({ name, shape }))
    )
    for (const name of names) assert.notMatch(text, new RegExp(`class ${name}\\b`))
  })

  it("quote keys as Luau reads them", () => {
    const shape = shapeOf(null, { "\u001f\\u001f": 1 })
    assert.include(typeDeclarations("luau", [{ name: "Odd", shape }]), '["\\u{001f}\\\\u001f"]: number')
  })

  it("are TypeScript whatever the document is", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const found: Json = JSON.parse(JSON.stringify(value))
        const text = typeDeclarations("typescript", [{ name: "Some thing", shape: shapeOf(null, found) }])
        const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true })
        assert.deepStrictEqual(diagnostics, [], text)
      })
    )
  })
})
