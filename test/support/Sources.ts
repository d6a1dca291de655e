import { readdirSync, readFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import ts from "typescript"

export const root = resolve(import.meta.dirname, "../..")

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? entry.name === "node_modules"
        ? []
        : filesIn(join(folder, entry.name))
      : /\.tsx?$/.test(entry.name)
        ? [join(folder, entry.name)]
        : []
  )

/** The product's sources, parsed. */
export const sources = [...filesIn(join(root, "schema")), ...filesIn(join(root, "src"))].map((file) => ({
  path: relative(root, file),
  node: ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
}))

/** Paths of the tests and what supports them. */
export const testFiles = filesIn(join(root, "test")).map((file) => relative(root, file))
