import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { errorsReference } from "../schema/ErrorsReference.ts"
import { permissionsReference } from "../schema/PermissionsReference.ts"

const written = (name: string) => readFileSync(join(resolve(import.meta.dirname, "../docs"), name), "utf8")

describe("the reference pages", () => {
  it("are what npm run docs writes", () => {
    assert.strictEqual(written("permissions.md"), permissionsReference())
    assert.strictEqual(written("errors.md"), errorsReference())
  })

  it("say of every error when it is answered", () => {
    const rows = errorsReference()
      .split("\n")
      .filter((line) => line.startsWith("| `"))
    assert.isAbove(rows.length, 70)
    for (const row of rows) assert.match(row, /^\| `[A-Z_]+` +\| [45]\d\d +\| [A-Z][^|]+\. +\| [^|]+ \|$/)
  })
})
