import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, withFolder } from "../support/Server.ts"

describe("the headers that the SQLite driver is compiled with", () => {
  it("are those beside Node where they are of its version, and are downloaded otherwise", () =>
    withFolder(async (folder) => {
      const { folderOfHeaders } = await import(join(root, "src", "driver.mjs"))
      const program = join(folder, "bin", "node")
      const headers = join(folder, "include", "node")
      assert.isUndefined(folderOfHeaders(program, "20.19.4"))
      mkdirSync(headers, { recursive: true })
      const defines = ["MAJOR 20", "MINOR 19", "PATCH 4"].map((text) => text.split(" "))
      const lines = defines.map(([part, number]) => `#define NODE_${part}_VERSION ${number}\n`)
      writeFileSync(join(headers, "node_version.h"), lines.join(""))
      assert.strictEqual(folderOfHeaders(program, "20.19.4"), folder)
      assert.isUndefined(folderOfHeaders(program, "20.19.5"))
    }))
})
