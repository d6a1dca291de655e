import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")

/** Where the two classes are, which are no caches of anything themselves. */
const classes = new Set(["src/domain/LruCache.ts", "src/domain/ValidCache.ts"])

const inCode = readdirSync(join(root, "src"), { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((path) => !classes.has(path))
  .flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8")
    const made = [...text.matchAll(/new (?:LruCache|ValidCache)(?:<[^(]*>)?\((\d+) \* mebibyte/g)]
    const uses = [...text.matchAll(/new (?:LruCache|ValidCache)\b|extends (?:LruCache|ValidCache)\b/g)]
    return uses.map((_, index) => `${path}: ${made[index]?.[1] ?? "a setting"}`)
  })
  .sort()

const inTable = readFileSync(join(root, "docs/caches.md"), "utf8")
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter((cells) => cells.length === 9 && cells[2]?.startsWith("`src/"))
  .map((cells) => {
    const budget = cells[7] ?? ""
    return `${cells[2]?.replaceAll("`", "")}: ${budget.startsWith("`--") ? "a setting" : budget}`
  })
  .sort()

describe("docs/caches.md", () => {
  it("lists every cache in the code with its budget, and no other", () => {
    assert.isAbove(inCode.length, 5)
    assert.deepStrictEqual(inTable, inCode)
  })
})
