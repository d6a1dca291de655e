import { assert, describe, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

const root = resolve(import.meta.dirname, "..")

const sourceFolders = ["src", "schema", "test", "deploy", ".ci"]

const isLeftOut = (path: string) => /(^|\/)(node_modules|dist)(\/|$)/.test(path)

const below = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => !isLeftOut(path))

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...below("docs").filter((path) => path.endsWith(".md"))
].map((name) => ({ name, text: readFileSync(join(root, name), "utf8") }))

const paths = [...sourceFolders, "docs", "data"].flatMap((folder) => [folder, ...below(folder)])

/** The words between backticks, outside of blocks of code. */
const wordsIn = (text: string): ReadonlyArray<string> =>
  [...text.replaceAll(/^ *```[^]*?^ *```/gm, "").matchAll(/`([^`\n]+)`/g)].flatMap(([, span = ""]) => span.split(" "))

/** Programs write it, and nobody commits it. */
const written = "test/bench/results.json"

const isSource = (word: string): boolean =>
  /^(src|schema|test|docs|deploy|\.ci)\/[\w./<>*-]+$/.test(word) ||
  /^(?!dist\/)[\w/<>*-]*[A-Z][\w<>*-]*\.tsx?$/.test(word)

/** What stands for others in a path: `<folder>`, `*`, a feature F, a noun X and a number N of the recipes. */
const patternOf = (path: string): RegExp => {
  const pattern = path
    .replace(/\/$/, "")
    .replaceAll(".", "\\.")
    .replaceAll(/<\w+>|\*|\bF\b|\bX(?=[A-Z]|\\|\b)/g, "[^/]+")
    .replace("NNNN_x", "\\d{4}_\\w+")
    .replace(/(Format|format-)N\b/, "$1\\d+")
  return new RegExp(`^(.+/)?${pattern}$`)
}

/** The documents that tell how the code works. */
const ofMaintainers = new Set(
  ["architecture", "caches", "cluster", "engine", "fast-paths", "file-format"].map((name) => `docs/${name}.md`)
).add("CONTRIBUTING.md")

describe("the documents", () => {
  it("name files that are there, and patterns that some file has", () => {
    const named = documents.flatMap(({ name, text }) =>
      wordsIn(text)
        .filter(isSource)
        .map((path) => ({ name, path }))
    )
    assert.isAbove(named.length, 100)
    const missing = named.filter(({ path }) => {
      if (path === written) return false
      const pattern = patternOf(path)
      return !paths.some((each) => pattern.test(each))
    })
    assert.deepStrictEqual(missing, [])
  })

  it("link to files that are there", () => {
    const links = documents.flatMap(({ name, text }) =>
      [...text.matchAll(/\]\((?!\w+:)([^)#\s]+)/g)].map(([, link = ""]) => ({ name, link }))
    )
    assert.isAbove(links.length, 100)
    const missing = links.filter(({ name, link }) => !existsSync(join(root, dirname(name), link)))
    assert.deepStrictEqual(missing, [])
  })

  it("for maintainers name types, functions and constants that the code has", () => {
    const files = ["src", "schema", "test"].flatMap(below).filter((path) => /\.(ts|tsx|mjs|cs|gd)$/.test(path))
    const code = [...files, "package.json"].map((path) => readFileSync(join(root, path), "utf8"))
    const known = new Set(code.flatMap((text) => text.match(/\w+/g) ?? []))
    const named = documents
      .filter(({ name }) => ofMaintainers.has(name))
      .flatMap(({ name, text }) =>
        wordsIn(text)
          .filter((word) => !isSource(word))
          .flatMap((word) => word.match(/\b[A-Za-z]+[a-z][A-Z]\w*/g) ?? [])
          .map((identifier) => ({ name, identifier }))
      )
    assert.isAbove(named.length, 50)
    assert.deepStrictEqual(
      named.filter(({ identifier }) => !known.has(identifier)),
      []
    )
  })
})
