import { assert, it } from "@effect/vitest"
import { dirname, join } from "node:path"
import ts from "typescript"
import { sources } from "../support/Sources.ts"

const isType = (statement: ts.ImportDeclaration | ts.ExportDeclaration) =>
  ts.isImportDeclaration(statement) && statement.importClause?.isTypeOnly === true

/** The files of the repository that a file loads along with itself. */
const loadedWith = (path: string, node: ts.SourceFile) =>
  node.statements.flatMap((statement) =>
    (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) &&
    !isType(statement) &&
    statement.moduleSpecifier !== undefined &&
    ts.isStringLiteral(statement.moduleSpecifier) &&
    statement.moduleSpecifier.text.startsWith(".")
      ? [join(dirname(path), statement.moduleSpecifier.text)]
      : []
  )

it("what is loaded before it is known which command runs is neither the server nor its stores", () => {
  const nodes = new Map(sources().map(({ path, node }) => [path, node]))
  const found = new Set(["src/main.ts"])
  for (const path of found) {
    const node = nodes.get(path)
    if (node !== undefined) for (const each of loadedWith(path, node)) found.add(each)
  }
  assert.include([...found], "src/cli/Doctor.ts")
  const server =
    /^src\/(?:http|jobs|mcp|adapters\/(?:sqlite|memory|postgres))\/|^src\/app\/(?:Services|Serve|commands\/.*)\.ts$/
  assert.deepStrictEqual(
    [...found].filter((path) => server.test(path)),
    []
  )
})
