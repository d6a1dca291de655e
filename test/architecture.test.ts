import { assert, describe, it } from "@effect/vitest"
import { Array } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import ts from "typescript"
import { floors, packages } from "./support/Floors.ts"
import { root } from "./support/Server.ts"
import { sources, testFiles } from "./support/Sources.ts"

/** Every floor keeps its features in folders of these names; what stands beside the folders serves several features. */
const features = [
  "access",
  "analytics",
  "cohorts",
  "configuration",
  "deeplinks",
  "demo",
  "experiments",
  "game",
  "ingest",
  "live",
  "operations"
]

/** Floors, or parts of one, that are divided by feature, with the other folders each may have. */
const divided: Record<string, ReadonlyArray<string>> = {
  "src/domain": [],
  schema: [],
  "src/ports": [],
  "src/services": [],
  "src/adapters/memory": [],
  "src/adapters/postgres": ["migrations"],
  "src/adapters/sql": ["sums"],
  "src/adapters/sqlite": ["events", "migrations", "pages", "salvage", "workers"],
  "src/http": ["middleware", "platform"],
  "test/contract": [],
  "test/domain": [],
  "test/http": ["platform"],
  "test/services": [],
  "test/support": ["brute", "cluster", "sdk"]
}

const engine = "src/adapters/sqlite/events"

/** The rooms of the event engine, each of which imports only itself and those before it; files beside the rooms come last. */
const rooms = ["steps", "bytes", "format", "file", "read", "scan", "cohorts", "players", "write", "threads", ""]

/** Where a driver, a worker or the operating system leaves no other way. */
const exempt: Record<string, ReadonlyArray<string>> = {
  "src/adapters/sqlite/events": ["throw", "try", "clock", "cast", "async"],
  "src/adapters/sqlite/pages": ["throw", "try"],
  "src/adapters/sqlite/salvage": ["throw", "try"],
  "src/adapters/sqlite/workers": ["throw", "try", "clock", "async"],
  "src/adapters/sqlite/operations/OwnProgram.ts": ["process"],
  "src/adapters/sqlite/operations/Doctor.ts": ["process"],
  "src/adapters/node/GiveWay.ts": ["try"],
  "src/adapters/node/StartedWorker.ts": ["try"],
  "src/app/Server.ts": ["process"],
  "src/cli/ProgressBar.ts": ["process"],
  "src/mcp/Stdio.ts": ["process"],
  "src/services/operations/System.ts": ["process"],
  "src/openfeature": ["async", "clock"],
  "src/sdk": ["async", "clock", "try"],
  "src/sdk/FileStorage.ts": ["throw"],
  "src/sdk/node.ts": ["process"],
  "src/web": ["async", "clock", "try"],
  "src/main.ts": ["process"]
}

const floorOf = (path: string) => Object.keys(floors).find((floor) => path.startsWith(`${floor}/`))

const importsOf = (node: ts.SourceFile) =>
  node.statements.flatMap((statement) =>
    (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) &&
    statement.moduleSpecifier !== undefined &&
    ts.isStringLiteral(statement.moduleSpecifier)
      ? [statement.moduleSpecifier.text]
      : []
  )

const textOf = (node: ts.Node) => (node.getChildCount() > 8 ? "" : node.getText())

const banned: ReadonlyArray<readonly [rule: string, test: (node: ts.Node) => boolean]> = [
  ["throw", ts.isThrowStatement],
  ["try", ts.isTryStatement],
  ["async", (node) => node.kind === ts.SyntaxKind.AsyncKeyword || ts.isAwaitExpression(node)],
  [
    "cast",
    (node) =>
      (ts.isAsExpression(node) && node.type.getText() !== "const") ||
      ts.isTypeAssertionExpression(node) ||
      node.kind === ts.SyntaxKind.AnyKeyword
  ],
  [
    "clock",
    (node) =>
      (ts.isPropertyAccessExpression(node) && ["Date.now", "Math.random", "performance.now"].includes(textOf(node))) ||
      (ts.isNewExpression(node) && textOf(node.expression) === "Date" && (node.arguments?.length ?? 0) === 0)
  ],
  [
    "process",
    (node) =>
      ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "process"
  ],
  // A span for each function took a fifth to a quarter of the processor time of a request, also with tracing off: it copies all services.
  ["Effect.fn", (node) => ts.isPropertyAccessExpression(node) && textOf(node) === "Effect.fn"],
  ["default export", ts.isExportAssignment],
  // The build leaves out the readers of files and the WebSockets that these need: src/build.mjs.
  [
    "left out of the build",
    (node) => ts.isIdentifier(node) && ["fileParse", "fileSchema", "upgrade", "upgradeChannel"].includes(node.text)
  ]
]

const isExempt = (path: string, rule: string) =>
  Object.entries(exempt).some(([prefix, rules]) => path.startsWith(prefix) && rules.includes(rule))

describe("architecture", () => {
  it("each floor imports only the floors below it, and only its packages", () => {
    const breaches = sources().flatMap(({ path, node }) => {
      const floor = floorOf(path)
      if (floor === undefined) return []
      return importsOf(node)
        .filter((specifier) => {
          if (!specifier.startsWith(".")) return !(packages[floor]?.test(specifier) ?? true)
          const target = floorOf(relative(root, resolve(root, dirname(path), specifier)))
          return target === undefined || !floors[floor]!.includes(target)
        })
        .map((specifier) => `${path} imports ${specifier}`)
    })
    assert.deepStrictEqual(breaches, [])
  })

  it("a floor is divided into features of the same names, and into nothing else", () => {
    const strangers = Object.entries(divided).flatMap(([floor, others]) =>
      readdirSync(join(root, floor), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && ![...features, ...others].includes(entry.name))
        .map(({ name }) => `${floor}/${name}`)
    )
    assert.deepStrictEqual(strangers, [])
  })

  it("each room of the event engine imports only itself and the rooms before it", () => {
    const roomOf = (path: string) => rooms.indexOf(/^([^/]+)\//.exec(relative(engine, path))?.[1] ?? "")
    const breaches = sources()
      .filter(({ path }) => path.startsWith(`${engine}/`))
      .flatMap(({ path, node }) =>
        importsOf(node)
          .filter((specifier) => specifier.startsWith("."))
          .map((specifier) => relative(root, resolve(root, dirname(path), specifier)))
          .filter((target) => target.startsWith(`${engine}/`) && roomOf(target) > roomOf(path))
          .map((target) => `${path} imports ${target}`)
      )
    assert.deepStrictEqual(breaches, [])
  })

  it("the frozen steps of the file format import nothing of the engine, which imports only the list of them", () => {
    const steps = `${engine}/steps/`
    const breaches = sources().flatMap(({ path, node }) =>
      importsOf(node)
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => relative(root, resolve(root, dirname(path), specifier)))
        .filter((target) => path.startsWith(steps) !== target.startsWith(steps) && target !== `${steps}FormatSteps.ts`)
        .map((target) => `${path} imports ${target}`)
    )
    assert.deepStrictEqual(breaches, [])
  })

  it("no two files import each other, types included", () => {
    const imports = new Map(
      sources().map(({ path, node }) => [
        path,
        importsOf(node)
          .filter((specifier) => specifier.startsWith("."))
          .map((specifier) => relative(root, resolve(root, dirname(path), specifier)))
      ])
    )
    const finished = new Set<string>()
    const circles: Array<string> = []
    const visit = (path: string, way: ReadonlyArray<string>): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" -> "))
      if (finished.has(path) || way.includes(path)) return
      for (const target of imports.get(path) ?? []) visit(target, [...way, path])
      finished.add(path)
    }
    for (const path of imports.keys()) visit(path, [])
    assert.deepStrictEqual(circles, [])
  })

  it("no file has more than 250 lines, and no folder more than 40 files", () => {
    const lengths = [
      ...sources().map(({ path, node }) => ({ path, lines: node.text.split("\n").length - 1 })),
      ...testFiles().map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").split("\n").length - 1 }))
    ]
    const long = lengths.filter(({ lines }) => lines > 250).map(({ path, lines }) => `${path}: ${lines} lines`)
    const filesByFolder = Array.groupBy([...sources().map(({ path }) => path), ...testFiles()], (path) => dirname(path))
    const full = Object.entries(filesByFolder)
      .filter(([, files]) => files.length > 40)
      .map(([folder, files]) => `${folder}: ${files.length} files`)
    assert.deepStrictEqual([...long, ...full], [])
  })

  it("nothing that only some files may: cast, throw, async, clock, chance, span of a function and the like", () => {
    const breaches: Array<string> = []
    for (const { path, node } of sources()) {
      const visit = (child: ts.Node): void => {
        for (const [rule, test] of banned) {
          if (test(child) && !isExempt(path, rule)) {
            const { line } = node.getLineAndCharacterOfPosition(child.getStart())
            breaches.push(`${path}:${line + 1} ${rule}`)
          }
        }
        ts.forEachChild(child, visit)
      }
      visit(node)
    }
    assert.deepStrictEqual(breaches, [])
  })

  it("layers are provided only where the application is wired", () => {
    const breaches = sources()
      .filter(({ path }) => /^(schema|src\/(domain|ports|services|http|jobs))\//.test(path))
      .filter(({ node }) => /\bLayer\.provide|Effect\.provide\(/.test(node.text))
      .map(({ path }) => path)
    assert.deepStrictEqual(breaches, [])
  })

  it("no file is a drawer or a barrel", () => {
    const drawers = sources().filter(({ path }) => /(^|\/)(index|utils?|common|helpers?|types|impl)\.ts$/i.test(path))
    assert.deepStrictEqual(
      drawers.map(({ path }) => path),
      []
    )
  })
})
