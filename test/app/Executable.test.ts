import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, withFolder } from "../support/Server.ts"

/** What the executable carries: one file that says that it runs. */
const carried = `
const assets = { "files.json": JSON.stringify([{ path: "src/load.cjs" }]), "src/load.cjs": "console.log('runs')" }
const sea = { getAsset: (name) => assets[name], getRawAsset: (name) => Buffer.from(assets[name]) }
const { _load } = require("node:module")
require("node:module")._load = (name, ...others) => name === "node:sea" ? sea : _load(name, ...others)
`

/** Starts the main script of the executable by this Node, in a folder for temporary files of its own. */
const start = (folder: string, environment: Record<string, string>, before = "") => {
  const first = join(folder, "first.cjs")
  writeFileSync(first, carried + before)
  const script = join(root, "src/executable-main.cjs")
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", first, script], {
    env: { TMPDIR: folder, ...environment },
    encoding: "utf8"
  })
  return { status, out: stdout.trim(), err: stderr.trim() }
}

describe("the single executable", () => {
  it("puts its files into the cache of the user, and leaves nothing else there", () =>
    withFolder(async (folder) => {
      for (const run of ["first", "second"])
        assert.deepStrictEqual(start(folder, { XDG_CACHE_HOME: folder }), { status: 0, out: "runs", err: "" }, run)
      assert.strictEqual(readdirSync(join(folder, "gamekeeper")).length, 1)
    }))

  it("says in one line that it cannot put them there, and what helps", () =>
    withFolder(async (folder) => {
      const file = join(folder, "file")
      writeFileSync(file, "")
      assert.deepStrictEqual(start(folder, { HOME: file }), {
        status: 1,
        out: "",
        err: `gamekeeper: Cannot put its files into ${file}/.cache/gamekeeper (ENOTDIR): name a folder in XDG_CACHE_HOME that this user can write`
      })
    }))

  it("serves a user without a home, such as one by number alone", () =>
    withFolder(async (folder) => {
      const homeless = 'require("node:os").homedir = () => { throw new Error("uv_os_homedir returned ENOENT") }'
      assert.deepStrictEqual(start(folder, {}, homeless), { status: 0, out: "runs", err: "" })
    }))

  it("runs no files that another user has put there", () =>
    withFolder(async (folder) => {
      const foreign = 'require("node:fs").statSync = () => ({ uid: process.getuid() + 1 })'
      assert.strictEqual(start(folder, { XDG_CACHE_HOME: folder }).status, 0)
      const { status, out, err } = start(folder, { XDG_CACHE_HOME: folder }, foreign)
      assert.deepStrictEqual([status, out], [1, ""])
      assert.match(
        err,
        /^gamekeeper: \S+ belongs to another user: name a folder in XDG_CACHE_HOME that this user can write$/
      )
    }))

  it("is made by commands whose words may have blanks, also where a shell reads them, as on Windows", () =>
    withFolder(async (folder) => {
      const script = join(folder, "with a blank.cjs")
      writeFileSync(script, "console.log(process.argv.slice(2).join('|'))")
      const asked = `import { runCommand } from "./src/commands.mjs"
        const [node, script] = process.argv.slice(1)
        console.log(runCommand(node, [script, "C:/Program Files/x", "y"], { encoding: "utf8" }, true).stdout)`
      const words = ["--input-type=module", "--eval", asked, process.execPath, script]
      const { stdout } = spawnSync(process.execPath, words, { cwd: root, encoding: "utf8" })
      assert.strictEqual(stdout.trim(), "C:/Program Files/x|y")
    }))
})
