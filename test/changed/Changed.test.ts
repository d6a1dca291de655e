import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { runChanged } from "./Changed.ts"

const repository = resolve(import.meta.dirname, "../..")

const tree: Readonly<Record<string, string>> = {
  "package.json": "{}",
  "package-lock.json": "{}",
  ".gitignore": "data/*\n!data/known/\n",
  "data/known/numbers.json": "[1]",
  "data/other/live.sqlite": "1",
  "vitest.fast.config.ts": 'export default { test: { include: ["test/**/*.test.ts"], setupFiles: ["test/Setup.ts"] } }',
  "test/Setup.ts": "export {}",
  "test/fixtures/player.json": "{}",
  "docs/page.md": "page",
  "src/leaf.ts": "export const leaf = 1",
  "src/branch.ts": 'import { leaf } from "./leaf.ts"\nexport const branch = leaf',
  "src/shape.ts": "export interface Shape { readonly size: number }",
  "src/placed.ts": "export const folder = import.meta.dirname",
  "src/workers/one.ts": 'import { part } from "../part.ts"\nexport const one = part',
  "src/part.ts": "export const part = 1",
  "test/Read.ts": 'import { readFileSync } from "node:fs"\nexport const read = readFileSync',
  "test/Write.ts": 'import { mkdtempSync } from "node:fs"\nexport const make = mkdtempSync',
  "test/Told.ts": "// reads: data/known src/workers\nexport const at = import.meta.url",
  "test/leaf.test.ts": 'import "../src/branch.ts"\nimport type { Shape } from "../src/shape.ts"',
  "test/late.test.ts": 'export const late = () => import("../src/branch.ts")',
  "test/apart.test.ts": 'import "./Write.ts"',
  "test/read.test.ts": 'import "./Read.ts"',
  "test/named.test.ts": 'export const path = "test/fixtures/player.json"',
  "test/joined.test.ts": 'import { join } from "node:path"\nexport const path = join("docs", "page.md")',
  "test/placed.test.ts": 'import "../src/placed.ts"',
  "test/told.test.ts": 'import "./Told.ts"',
  "test/started.test.ts": 'import "node:child_process"'
}

const readers = ["joined", "named", "placed", "read", "started"]
const plain = ["apart", "late", "leaf", "told"]
const everyTest = [...readers, ...plain].sort()

const pathOf = (name: string) => `test/${name}.test.ts`
const day = new Date("2026-03-04T05:06:07Z")
let root = ""

const put = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "changed-"))
  for (const [path, text] of Object.entries(tree)) put(path, text)
})

afterEach(() => rmSync(root, { recursive: true }))

interface Round {
  readonly red?: ReadonlyArray<string>
  readonly isAll?: boolean
  readonly now?: Date
  readonly code?: number
  readonly meanwhile?: () => void
}

/** Names of the files of tests that ran, in order. */
const round = async ({ red = [], isAll = false, now = day, code, meanwhile }: Round = {}): Promise<Array<string>> => {
  const ran: Array<string> = []
  const ended = await runChanged({
    root,
    tests: everyTest.map(pathOf),
    isAll,
    now: () => now,
    say: () => {},
    run: async (tests) => {
      meanwhile?.()
      ran.push(...tests.map((path) => path.slice("test/".length, -".test.ts".length)))
      return { green: tests.filter((path) => !red.map(pathOf).includes(path)), code: code ?? Math.min(1, red.length) }
    }
  })
  assert.strictEqual(ended, ran.length === 0 ? 0 : (code ?? Math.min(1, red.length)))
  return ran
}

describe("runChanged", () => {
  it("runs everything once, and nothing of which nothing has changed", async () => {
    assert.deepStrictEqual(await round(), everyTest)
    assert.deepStrictEqual(await round(), [])
    assert.deepStrictEqual(await round({ isAll: true }), everyTest)
  })

  const changed: ReadonlyArray<readonly [name: string, path: string, reached: ReadonlyArray<string>]> = [
    ["a leaf", "src/leaf.ts", ["late", "leaf"]],
    ["a file of types alone, which types check", "src/shape.ts", []],
    ["a fixture", "test/fixtures/player.json", []],
    ["a page", "docs/page.md", []],
    ["a new file", "src/new.ts", []],
    ["what a module declares to read", "data/known/numbers.json", ["told"]],
    ["what a worker imports that a module declares to read", "src/part.ts", ["told"]],
    ["a new file in a folder that is declared", "src/workers/two.ts", ["told"]],
    ["a set-up file", "test/Setup.ts", plain],
    ["the configuration", "vitest.fast.config.ts", plain],
    ["the lock", "package-lock.json", plain],
    ["installed packages", "node_modules/.package-lock.json", [...plain]],
    ["a test", "test/apart.test.ts", ["apart"]]
  ]

  it.each(changed)("runs again what depends on %s, and all that may read any file", async (_, path, reached) => {
    await round()
    put(path, `${tree[path] ?? ""}\n// changed`)
    assert.deepStrictEqual(await round(), [...readers, ...reached].sort())
    assert.deepStrictEqual(await round(), [])
  })

  it("runs again what imported a file that is gone", async () => {
    await round()
    rmSync(join(root, "docs/page.md"))
    assert.deepStrictEqual(await round(), readers)
  })

  it("runs everything again where a module imports what is not there", async () => {
    await round()
    put("src/part.ts", "export const other = 2")
    assert.deepStrictEqual(await round(), everyTest)
    assert.deepStrictEqual(await round(), [])
    put("src/part.ts", "export const other = 3")
    assert.deepStrictEqual(await round(), everyTest)
  })

  it("does not look at files that the repository ignores", async () => {
    await round()
    put("data/other/live.sqlite", "2")
    assert.deepStrictEqual(await round(), [])
  })

  it("runs what was red until it is green, also where it was green before", async () => {
    await round()
    assert.deepStrictEqual(await round({ isAll: true, red: ["leaf"] }), everyTest)
    assert.deepStrictEqual(await round({ red: ["leaf"] }), ["leaf"])
    assert.deepStrictEqual(await round(), ["leaf"])
    assert.deepStrictEqual(await round(), [])
  })

  it("keeps nothing of a run that failed with all files green, or ended before it told anything", async () => {
    await round({ code: 1 })
    assert.deepStrictEqual(await round({ red: everyTest }), everyTest)
    assert.deepStrictEqual(await round(), everyTest)
  })

  it("runs again what changed while it ran", async () => {
    await round({ meanwhile: () => put("src/part.ts", "export const part = 3") })
    assert.deepStrictEqual(await round(), [...readers, "told"])
  })

  it("runs everything on another day, and where what it kept is damaged", async () => {
    await round()
    const tomorrow = new Date(day.getTime() + 86_400_000)
    assert.deepStrictEqual(await round({ now: tomorrow }), everyTest)
    put("node_modules/.cache/gamekeeper/green.json", '{"green": {')
    assert.deepStrictEqual(await round({ now: tomorrow }), everyTest)
  })
})

describe("npm run test:fast", () => {
  const run = (): Promise<{ readonly code: number; readonly out: string }> =>
    new Promise((done) => {
      const script = join(repository, "test/changed/Run.ts")
      const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")))
      const args = ["--import", "tsx", script]
      execFile(process.execPath, args, { cwd: root, env }, (error, out, err) =>
        done({ code: error === null ? 0 : 1, out: out + err })
      )
    })

  it("keeps what vitest found green, and neither what is red nor what was skipped", async () => {
    for (const name of everyTest) rmSync(join(root, pathOf(name)))
    mkdirSync(join(root, "node_modules"))
    for (const name of ["tsx", "vitest"])
      symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name))
    put(pathOf("green"), 'import { it } from "vitest"\nit("is green", () => {})')
    put(pathOf("red"), 'import { it } from "vitest"\nit("is red", () => { throw new Error("red") })')
    put(pathOf("left"), 'import { it } from "vitest"\nit("is green", () => {})\nit["skip"]("is left out", () => {})')
    const first = await run()
    assert.include(first.out, "0 of 3 files of tests skipped")
    assert.strictEqual(first.code, 1)
    put(pathOf("red"), 'import { it } from "vitest"\nit("is green now", () => {})')
    put(pathOf("left"), 'import { it } from "vitest"\nit("is green", () => {})')
    const second = await run()
    assert.include(second.out, "1 of 3 files of tests skipped")
    assert.strictEqual(second.code, 0)
  })
})
