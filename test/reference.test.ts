import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { errorsReference } from "../schema/ErrorsReference.ts"
import { permissionsReference } from "../schema/PermissionsReference.ts"
import { settingsReference } from "../src/app/SettingsReference.ts"
import { automaticNames } from "../src/domain/ingest/Marker.ts"

const root = resolve(import.meta.dirname, "..")

const written = (name: string) => readFileSync(join(root, "docs", name), "utf8")

describe("the reference pages", () => {
  it("are what npm run docs writes", () => {
    assert.strictEqual(written("permissions.md"), permissionsReference())
    assert.strictEqual(written("errors.md"), errorsReference())
    assert.strictEqual(written("settings.md"), settingsReference())
  })

  it("say of every error when it is answered", () => {
    const rows = errorsReference()
      .split("\n")
      .filter((line) => line.startsWith("| `"))
    assert.isAbove(rows.length, 70)
    for (const row of rows) assert.match(row, /^\| `[A-Z_]+` +\| [45]\d\d +\| [A-Z][^|]+\. +\| [^|]+ \|$/)
  })
})

describe("how the API answers", () => {
  it("names every name that becomes a property of a marker", () => {
    const named =
      /^- Properties are ([^]*?), and every name that begins with `\$`\.$/m.exec(written("api.md"))?.[1] ?? ""
    assert.deepStrictEqual(
      [...named.matchAll(/`(\w+)`/g)].map(([, name]) => name),
      [...automaticNames]
    )
  })
})

describe("the settings", () => {
  it("each have a flag, a variable and what they are for", () => {
    const rows = settingsReference()
      .split("\n")
      .filter((line) => line.startsWith("| `--"))
    assert.isAbove(rows.length, 60)
    for (const row of rows)
      assert.match(row, /^\| `--[a-z0-9-]+` +\| `GAMEKEEPER_[A-Z0-9_]+` +\| (—|`[^`]+`) +\| [A-Z][^|]+ \|$/)
  })

  it("that the README names are settings, with the default that it says", () => {
    const named = readFileSync(join(root, "README.md"), "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| `--"))
    assert.isAbove(named.length, 10)
    for (const line of named) {
      const [, flag = "", variable = "", initial = ""] = line.split("|").map((cell) => cell.trim())
      const setting = settingsReference()
        .split("\n")
        .find((row) => row.startsWith(`| ${flag} `))
      const [, ...cells] = (setting ?? "").split("|").map((cell) => cell.trim())
      assert.deepStrictEqual(cells.slice(0, 3), [flag, variable, initial])
    }
  })
})

describe("the guides", () => {
  it("H3: show what a refused request answers: every curl fails with the body, or prints the status", () => {
    const folders = ["docs", "docs/guide"]
    const documents = folders.flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    const guides = ["README.md", ...documents]
    const texts = guides.filter((name) => name.endsWith(".md")).map((name) => readFileSync(join(root, name), "utf8"))
    const blocks = texts.flatMap((text) =>
      [...text.matchAll(/```sh[^\n]*\n([\s\S]*?)```/g)].map(([, block = ""]) => block)
    )
    const commands = blocks.flatMap((block) => block.replaceAll("\\\n", " ").split("\n"))
    const calls = commands.filter((command) => /\bcurl\b/.test(command))
    assert.isAbove(calls.length, 10)
    const isOpen = (call: string) => /--fail-with-body|%\{http_code\}| -sN /.test(call)
    assert.deepStrictEqual(
      calls.filter((call) => !isOpen(call) || / -\w*f\w* /.test(call)),
      []
    )
  })
})
