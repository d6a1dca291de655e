import { assert, describe, it } from "@effect/vitest"
import { AdmittedNames } from "../../../src/domain/ingest/NameLimits.ts"

const bag = (...names: ReadonlyArray<string>) => Object.fromEntries(names.map((name) => [name, 1]))
const marker = (type: string, own: ReadonlyArray<string>, properties: ReadonlyArray<string> = []) => ({
  type,
  arguments: bag(...own),
  properties: bag(...properties)
})

describe("E2: the names of an environment", () => {
  it("are taken up to the limits, of which the refusal says which one is reached, and known ones for ever", () => {
    const names = new AdmittedNames({ types: 3, namesOfType: 4, names: 6 }, [
      { type: "Login", arguments: ["level"], properties: ["platform"] }
    ])
    const admit = (...given: Parameters<typeof marker>) => names.admit(marker(...given))?.code ?? null
    assert.deepStrictEqual(
      [
        admit("Login", ["level"], ["platform"]),
        admit("Login", ["level", "a", "b", "c"]),
        admit("Login", ["level", "a"], ["a"]),
        admit("Login", ["b"]),
        admit("Quit", []),
        admit("Buy", ["x", "y", "z"]),
        admit("Buy", ["x", "y"]),
        admit("Sell", []),
        admit("Buy", ["z"]),
        admit("Buy", ["y", "x"]),
        admit("Login", ["a", "level"], ["platform", "a"])
      ],
      [
        null,
        "TOO_MANY_NAMES",
        null,
        "TOO_MANY_NAMES",
        null,
        "TOO_MANY_NAMES",
        null,
        "TOO_MANY_TYPES",
        "TOO_MANY_NAMES",
        null,
        null
      ]
    )
  })

  it("count their bytes", () => {
    const names = new AdmittedNames({ types: 100, namesOfType: 100, names: 100 }, [])
    assert.strictEqual(names.bytes, 0)
    names.admit(marker("Login", ["a".repeat(100)]))
    const { bytes } = names
    assert.isAbove(bytes, 200)
    names.admit(marker("Login", ["a".repeat(100)]))
    assert.strictEqual(names.bytes, bytes)
  })
})
