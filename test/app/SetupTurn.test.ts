import { assert, describe, it } from "@effect/vitest"
import { spawn, spawnSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root, withFolder } from "../support/Server.ts"

/** A command that takes its turn, writes when it begins and ends into a log, and works for a moment between. */
const command = `
  import { appendFileSync } from "node:fs"
  import { takeTurn } from "./src/turn.mjs"
  const [file, log] = process.argv.slice(1)
  await takeTurn(file)
  appendFileSync(log, "begins\\n")
  await new Promise((done) => setTimeout(done, 50))
  appendFileSync(log, "ends\\n")
`

/** Runs the command, and answers its exit code and what it complained about. */
const run = (file: string, log: string) =>
  new Promise<readonly [code: number | null, complaint: string]>((done) => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", command, file, log], {
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"]
    })
    let complaint = ""
    child.stderr.on("data", (chunk) => (complaint += String(chunk)))
    child.on("close", (code) => done([code, complaint]))
  })

const turns = (count: number) => Array.from({ length: count }, () => "begins\nends\n").join("")

describe("commands that install and build in one clone", () => {
  it("wait for each other, and leave nothing", () =>
    withFolder(async (folder) => {
      const [file, log] = [join(folder, "turn"), join(folder, "log")]
      const results = await Promise.all([1, 2, 3, 4].map(() => run(file, log)))
      const waiting = "Another command installs or builds here: waiting for it …\n"
      for (const [code, complaint] of results) {
        assert.strictEqual(code, 0)
        assert.include(["", waiting], complaint)
      }
      assert.strictEqual(readFileSync(log, "utf8"), turns(4))
      assert.isFalse(existsSync(file))
    }))

  it("take over from one that was killed", () =>
    withFolder(async (folder) => {
      const [file, log] = [join(folder, "turn"), join(folder, "log")]
      const { pid } = spawnSync(process.execPath, ["--version"])
      writeFileSync(file, String(pid))
      assert.deepStrictEqual(await run(file, log), [0, ""])
      assert.strictEqual(readFileSync(log, "utf8"), turns(1))
    }))

  it("say in one line that nothing can be written there", () =>
    withFolder(async (folder) => {
      const [file, log] = [join(folder, "file"), join(folder, "log")]
      writeFileSync(file, "")
      const [code, complaint] = await run(join(file, "turn"), log)
      assert.strictEqual(code, 1)
      assert.match(
        complaint,
        /^gamekeeper: npm installs and builds in \S+, where this user cannot write \(ENOTDIR\): [^\n]+\n$/
      )
      assert.isFalse(existsSync(log))
    }))
})
