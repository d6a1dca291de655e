import { HttpApi } from "@effect/platform"
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import ts from "typescript"
import { Api } from "../../schema/Api.ts"
import { endpoints } from "../../src/web/api/Endpoints.ts"
import { reads } from "../../src/web/api/Rights.ts"
import { endpoints as declaredEndpoints } from "../support/Endpoints.ts"
import { root } from "../support/Server.ts"

const folder = join(root, "src", "web")

const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }))

/** What a file imports and what stays in the built script: imports of types leave nothing behind. */
const valuesImported = (path: string, text: string): ReadonlyArray<string> =>
  ts
    .createSourceFile(path, text, ts.ScriptTarget.Latest, true)
    .statements.flatMap((statement) =>
      ts.isImportDeclaration(statement) &&
      ts.isStringLiteral(statement.moduleSpecifier) &&
      statement.importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword
        ? [statement.moduleSpecifier.text]
        : []
    )

describe("boundaries of the dashboard", () => {
  it("takes only types of the contract and of the platform, so that neither reaches the browser", () => {
    const breaches = sources.flatMap(({ path, text }) =>
      valuesImported(path, text)
        .filter((specifier) => specifier === "@effect/platform" || specifier.includes("/schema/"))
        .map((specifier) => `${path} imports ${specifier}`)
    )
    assert.deepStrictEqual(breaches, [])
  })

  it("calls methods and paths as the contract declares them", () => {
    const declared: Record<string, string> = {}
    HttpApi.reflect(Api, {
      onGroup: () => undefined,
      onEndpoint: ({ group, endpoint }) => {
        declared[`${group.identifier}.${endpoint.name}`] = `${endpoint.method} ${endpoint.path}`
      }
    })
    const expected = Object.fromEntries(Object.keys(endpoints).map((name) => [name, declared[name]]))
    assert.deepStrictEqual({ ...endpoints }, expected)
  })

  it("knows which permission its questions need, so that it asks none that is refused", () => {
    const asked = new Set<string>(Object.keys(endpoints))
    // Nobody gets as far as a page without projects:read, and everybody sees the list of their own organizations.
    const isAlwaysAsked = (name: string, permission: string) =>
      permission === "projects:read" || name === "organizations.list"
    const needed = declaredEndpoints().flatMap(({ name, requirement }) =>
      requirement !== undefined &&
      requirement.permission.endsWith(":read") &&
      asked.has(name) &&
      !isAlwaysAsked(name, requirement.permission)
        ? [[name, requirement.permission]]
        : []
    )
    const known = new Map<string, string>(
      Object.entries(reads).flatMap(([permission, names]) => names.map((name) => [name, permission] as const))
    )
    assert.deepStrictEqual(
      needed.map(([name]) => [name, known.get(name ?? "")]),
      needed
    )
  })

  it("names no other site, and writes no HTML of what games send", () => {
    const breaches = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/https?:\/\/(?!\$)[a-z]|innerHTML|dangerouslySetInnerHTML|\beval\(/g)].map(
        ([found]) => `${path}: ${found}`
      )
    )
    assert.deepStrictEqual(breaches, [])
  })
})
