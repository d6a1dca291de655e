import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import ts from "typescript"
import { atEndOfFile } from "./Ends.ts"
import { root } from "./Server.ts"

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

interface Source {
  readonly path: string
  readonly node: ts.SourceFile
}

let parsed: ReadonlyArray<Source> | undefined

/**
 * The product's sources, parsed. They are let go at the end of the file that asks for them: a worker that keeps its modules would carry
 * some 250 MB of them through the tests of all later files.
 */
export const sources = (): ReadonlyArray<Source> => {
  if (parsed !== undefined) return parsed
  atEndOfFile(() => void (parsed = undefined))
  parsed = [...filesIn(join(root, "schema")), ...filesIn(join(root, "src"))].map((file) => ({
    path: relative(root, file),
    node: ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true)
  }))
  return parsed
}

/** Paths of the tests and what supports them. */
export const testFiles = (): ReadonlyArray<string> => filesIn(join(root, "test")).map((file) => relative(root, file))
