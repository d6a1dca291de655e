import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { chmodSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import repository from "../../package.json" with { type: "json" }
import { eventually, isServed, npm } from "../support/Npm.ts"
import { gamekeeper, root, withFolder } from "../support/Server.ts"

/** A shell that waits for what it runs, and dies of a signal without passing it on. */
const deafShell = (folder: string): string => {
  const file = join(folder, "shell")
  writeFileSync(file, '#!/bin/sh\nsh "$@"\nexit $?\n')
  chmodSync(file, 0o755)
  return file
}

type Case = readonly [
  name: string,
  signal: NodeJS.Signals,
  times: number,
  options: (folder: string) => ReadonlyArray<string>
]

const throughShells: ReadonlyArray<Case> = [
  ["SIGTERM through a shell that keeps signals", "SIGTERM", 1, (folder) => ["--script-shell", deafShell(folder)]]
]

const cases: ReadonlyArray<Case> = [
  ["SIGTERM", "SIGTERM", 1, () => []],
  ["SIGINT", "SIGINT", 1, () => []],
  ["SIGINT, and again at once, as Ctrl-C in a terminal does", "SIGINT", 2, () => []],
  ["SIGKILL", "SIGKILL", 1, () => []],
  ...(process.platform === "win32" ? [] : throughShells)
]

describe("npm start", () => {
  it.each(cases)("ends its server when npm gets %s (A5)", (_, signal, times, options) =>
    withFolder(async (folder) => {
      const data = join(folder, "data")
      const { child, ended, output, urls } = npm("start", options(folder), ["--data", data, "--port", "0"])
      const url = await eventually("the server listens", () => urls()[0])
      assert.isTrue(await isServed(url), output())
      for (let sent = 0; sent < times; sent++) child.kill(signal)
      await ended
      await eventually("the port is closed", async () => ((await isServed(url)) ? undefined : true))
      const taken = await eventually("the folder is free", async () => {
        const { code, err } = await gamekeeper(["migrate", "--data", data]).ended
        return code === 0 ? "taken" : err.includes("Another gamekeeper") ? undefined : err
      })
      assert.strictEqual(taken, "taken")
    })
  )
})

describe("npm run dev", () => {
  it("serves, starts again when a source changes, and ends with npm (A2)", () =>
    withFolder(async (folder) => {
      const { child, ended, urls } = npm("dev", [], ["--data", join(folder, "data"), "--port", "0"])
      const first = await eventually("the server listens", () => urls()[0])
      assert.isTrue(await isServed(first))
      const now = new Date()
      utimesSync(join(root, "src", "main.ts"), now, now)
      const second = await eventually("the server listens again", () => urls()[1])
      assert.isTrue(await isServed(second))
      assert.isFalse(await isServed(first))
      child.kill("SIGTERM")
      await ended
      assert.isFalse(await isServed(second))
    }))
})

describe("npm scripts", () => {
  /** Commands that work with the packages of development alone: tests and what measures, and what makes types of the client. */
  const needsDevelopment = /\btsx\b|\bvitest\b|\.ci\/|src\/(package|executable)\.mjs/
  const commands = new Map(Object.entries(repository.scripts))
  const installing = [...commands].filter(([name]) => commands.get(`pre${name}`)?.startsWith("node src/setup.mjs"))

  it("install first what they need, also in a clone that has only served", () => {
    const names = installing.map(([name]) => `pre${name}`)
    const asked = `import { scopeOf } from "./src/scope.mjs"
      console.log(JSON.stringify(${JSON.stringify(names)}.map(scopeOf)))`
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", asked], {
      cwd: root,
      encoding: "utf8"
    })
    const expected = installing.map(([, command]) => (needsDevelopment.test(command) ? "all" : "runtime"))
    assert.deepStrictEqual(JSON.parse(stdout), expected)
  })
})
