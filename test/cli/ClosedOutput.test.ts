import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { mintPersonalToken, openStudio } from "../support/access/Studio.ts"
import { fetchRequest, gamekeeper, root, startServer } from "../support/Server.ts"

let folder: string
let server: Awaited<ReturnType<typeof startServer>>
let env: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "gamekeeper-"))
  server = await startServer(join(folder, "data"), ["--sign-up", "open"])
  const request = fetchRequest(server.url)
  const studio = await openStudio(request, "ada")
  for (const name of ["Economy", "Levels", "Menu"])
    await request("POST", `/application/${studio.applicationId}/v2/configuration`, {
      headers: { ...studio.cookie, environment_id: String(studio.production) },
      body: { name, configuration: {} }
    })
  const permissions = ["organization:read", "projects:read", "configurations:read"]
  const token = await mintPersonalToken(request, studio, { permissions })
  env = { GAMEKEEPER_URL: server.url, GAMEKEEPER_TOKEN: token }
}, 120_000)

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe("a command whose output nobody reads any more", () => {
  it("does all of its work, and says nothing of it", async () => {
    const dir = join(folder, "files")
    mkdirSync(dir)
    const { process: child, ended } = gamekeeper(["pull", "--dir", dir, "--only", "configurations"], env)
    child.stdout?.destroy()
    const { code, err } = await ended
    assert.deepStrictEqual([code, err], [0, ""])
    for (const name of ["economy", "levels", "menu"])
      assert.isTrue(existsSync(join(dir, "configurations", `${name}.json`)), name)
  })

  it("ends where it has nothing else to do, as the tools of an assistant do", async () => {
    const { process: child, ended } = gamekeeper(["mcp"], env)
    const ping = () => child.stdin?.write(`{"jsonrpc":"2.0","id":1,"method":"ping"}\n`)
    await new Promise((answered) => {
      child.stdout?.once("data", answered)
      ping()
    })
    child.stdout?.destroy()
    child.stdin?.on("error", () => undefined)
    const again = setInterval(ping, 50)
    const { code, err } = await ended
    clearInterval(again)
    assert.deepStrictEqual([code, err], [0, ""])
  })
})

describe("a command whose output cannot be written", () => {
  it("says so, also by its exit code", async () => {
    const unwritable = openSync(import.meta.filename, "r")
    const args = [join(root, "dist/main.mjs"), "openapi"]
    const child = spawn(process.execPath, args, { stdio: ["ignore", unwritable, "pipe"] })
    let err = ""
    child.stderr?.on("data", (chunk: Buffer) => (err += chunk.toString()))
    const code = await new Promise((done) => child.once("close", done))
    closeSync(unwritable)
    assert.strictEqual(code, 1)
    assert.match(err, /^gamekeeper: the output cannot be written: EBADF/)
  })
})
