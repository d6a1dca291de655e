import { join } from "node:path"
import ts from "typescript"
import { assert, describe, it } from "vitest"
import { typeDeclarations } from "../../src/domain/configuration/TypeDeclarations.ts"
import { root } from "../support/Server.ts"

const file = join(root, "test/sdk/Generated.ts")

/** What the compiler says of a game in TypeScript, which exists in memory alone. */
const complaintsOf = (text: string): ReadonlyArray<string> => {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    types: ["node"]
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === file || fileExists(name)
  host.getSourceFile = (name, language) =>
    name === file ? ts.createSourceFile(name, text, language) : getSourceFile(name, language)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "))
}

const types = typeDeclarations("typescript", [
  {
    name: "ItemBought marker",
    shape: {
      kind: "object",
      fields: [
        { key: "price", shape: { kind: "number" }, isOptional: true },
        { key: "tags", shape: { kind: "list", item: { kind: "scalar" } }, isOptional: true }
      ]
    }
  }
])

const game = `${types}
import { createClient } from "../../src/sdk/node.ts"
const client = createClient({ url: "https://play.example.com", key: "sdk_1" })
const bought: ItemBoughtMarker = { price: 5, tags: ["sale", 2, true] }
client.track("ItemBought", bought)
client.track<ItemBoughtMarker>("ItemBought", { price: 5 })
client.track("ItemBought", { price: 5, tags: ["a"], note: null }, { distinctId: "ada" })
const free: Record<string, string | number> = {}
client.track("ItemBought", free)
client.track("ItemBought")
// @ts-expect-error: a marker has no objects
client.track("ItemBought", { when: { day: 1 } })
// @ts-expect-error: the price is a number
client.track<ItemBoughtMarker>("ItemBought", { price: "5" })
`

describe("types that `gamekeeper types` makes of markers", () => {
  it("are taken by track, as are objects as they are written and records; what no marker may have is not", () => {
    assert.deepStrictEqual(complaintsOf(game), [])
  })
})
