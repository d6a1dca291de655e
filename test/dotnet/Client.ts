import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { copiesOnDiskTests } from "../clients/CopiesOnDisk.ts"
import { clientOnDiskTests, type Language } from "../clients/OnDisk.ts"
import { sendingTests } from "../clients/Sending.ts"
import { root } from "../support/Server.ts"

const sources = ["Gamekeeper", "CopyFiles", "Json", "MarkerFile", "Transport"].map(
  (name) => `docs/clients/csharp/${name}.cs`
)

const compiled = (folder: string, main: string): string => {
  const program = join(folder, `${main}.exe`)
  const built = spawnSync(
    "mcs",
    [
      "-langversion:7.2",
      "-warnaserror",
      "-r:System.Net.Http.dll",
      `-out:${program}`,
      ...sources,
      `test/dotnet/${main}.cs`
    ],
    { cwd: root, encoding: "utf8" }
  )
  assert.strictEqual(built.status, 0, built.stdout + built.stderr)
  return program
}

const mono: Language = {
  name: ".NET, run by Mono",
  made: (folder) => {
    const program = compiled(folder, "Player")
    return ({ url, key, folder: queue, mostWaiting, flushSeconds }) => [
      "mono",
      program,
      url,
      key,
      queue,
      String(mostWaiting),
      String(flushSeconds)
    ]
  }
}

clientOnDiskTests(mono)
copiesOnDiskTests(mono)
sendingTests(mono)

describe("the client for .NET", () => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-dotnet-"))
  let program = ""
  let asked = 0
  let environment: unknown
  const busy = createServer((incoming, outgoing) => {
    asked++
    environment = incoming.headers["environment"]
    incoming.resume()
    setTimeout(() => outgoing.writeHead(503, { "retry-after": "200" }).end(), 300)
  })

  beforeAll(async () => {
    program = compiled(folder, "Player")
    await once(busy.listen(0, "127.0.0.1"), "listening")
  })
  afterAll(() => {
    busy.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** A game whose files may have so many blocks of 1,024 bytes, in an environment; how it is told to track a marker, and its process. */
  const started = (queue: string, flushSeconds: number, blocks = "unlimited", named = "production") => {
    const url = `http://127.0.0.1:${Object(busy.address()).port}`
    const limited = `trap '' XFSZ; ulimit -S -f ${blocks}; exec mono "$@"`
    const args = [program, url, "sdk_test", join(folder, queue), "100", String(flushSeconds), named]
    const player = spawn("bash", ["-c", limited, "bash", ...args], { stdio: ["pipe", "pipe", "inherit"] })
    const lines = createInterface({ input: player.stdout })[Symbol.asyncIterator]()
    const track = async (name: string): Promise<string> => {
      player.stdin.write(`${JSON.stringify({ do: "track", name, player: "ada" })}\n`)
      // Mono itself says what it thinks of a file that is too large.
      for (;;) {
        const line = String((await lines.next()).value)
        if (line.startsWith("{")) return line
      }
    }
    return { track, player }
  }

  it("gives numbers the types of their defaults", () => {
    const { stdout } = spawnSync("mono", [compiled(folder, "Types")], { encoding: "utf8" })
    assert.deepStrictEqual(stdout.trim().split("\n"), [
      "whole Int32 10",
      "fraction Int32 6",
      "single Single 2",
      "real Double 3",
      "large Int32 7",
      "exact Decimal 2",
      "long Int64 9",
      "small Byte 9",
      "tiny Single 0.5",
      "text String a",
      "new Int64 4",
      "too large True",
      "[0.1,0.1,1E+21,18446744073709551615,-9223372036854775808,-1,2,1.50]"
    ])
  })

  it("tells the game of a problem while others may track", () => {
    const { stdout } = spawnSync("mono", [compiled(folder, "Told"), join(folder, "told")], { encoding: "utf8" })
    assert.strictEqual(stdout.trim(), "full free")
  })

  it("keeps what an earlier game has left, where it cannot be read for a while", () => {
    const queue = join(folder, "locked")
    mkdirSync(queue)
    writeFileSync(join(queue, "markers.jsonl"), '{"eventName":"Left"}\n')
    const { stdout } = spawnSync("mono", [compiled(folder, "Locked"), queue], { encoding: "utf8" })
    const [first, second, ...kept] = stdout.trim().split("\n")
    assert.deepStrictEqual([first, second], ["storage", "storage"])
    assert.sameMembers(
      kept.map((line) => JSON.parse(line).eventName),
      ["Left", "Held", "Free"]
    )
  })

  it("leaves a busy server alone for as long as it asks, whatever is tracked while it answers", async () => {
    const { track, player } = started("busy", 0.1)
    await track("First")
    await vi.waitFor(() => assert.strictEqual(asked, 1), { timeout: 50_000, interval: 5 })
    await track("Meanwhile")
    await new Promise((done) => setTimeout(done, 2000))
    player.kill("SIGKILL")
    assert.strictEqual(asked, 1)
  })

  it("means production where no environment is named", async () => {
    const { track, player } = started("nowhere", 0.1, "unlimited", "")
    environment = null
    await track("Somewhere")
    await vi.waitFor(() => assert.strictEqual(environment, "production"), { timeout: 20_000, interval: 20 })
    player.kill("SIGKILL")
  })

  it("keeps on disk what was tracked around a disk that was full for a while", async () => {
    const { track, player } = started("full", 3600, "1")
    let told = ""
    let count = 0
    while (!told.includes("storage")) told = await track(`Marker${count++}`)
    spawnSync("prlimit", ["--pid", String(player.pid), "--fsize=unlimited:"])
    await track(`Marker${count++}`)
    player.kill("SIGKILL")
    const kept = readFileSync(join(folder, "full", "markers.jsonl"), "utf8")
      .trim()
      .split("\n")
    assert.deepStrictEqual(
      kept.map((line) => JSON.parse(line).eventName),
      Array.from({ length: count }, (_, n) => `Marker${n}`)
    )
  })
})
