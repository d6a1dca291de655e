import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { spawnSync } from "node:child_process"
import { tmpdir } from "node:os"
import { gzipSync } from "node:zlib"
import { join, relative } from "node:path"
import repository from "../../package.json" with { type: "json" }
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { fetchRequest, removeFolder, root, startServer } from "../support/Server.ts"

const folder = mkdtempSync(join(tmpdir(), "gamekeeper-package-"))
const modules = join(folder, "node_modules")
const unpacked = join(modules, "gamekeeper")

const run = (command: string, args: ReadonlyArray<string>) => {
  const { status, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" })
  assert.strictEqual(status, 0, stderr)
}

describe("the package", () => {
  beforeAll(() => {
    run(process.execPath, [join(root, "src/package.mjs"), folder])
    mkdirSync(unpacked, { recursive: true })
    run("tar", [
      "-xzf",
      `gamekeeper-${repository.version}.tgz`,
      "-C",
      relative(folder, unpacked),
      "--strip-components=1"
    ])
    // Instead of the driver that npm would download: it does not run with every Node that runs the tests.
    symlinkSync(realpathSync(join(root, "node_modules/better-sqlite3")), join(modules, "better-sqlite3"), "junction")
  })
  afterAll(() => removeFolder(folder))

  it("depends on the driver alone, and runs nothing when it is installed", () => {
    const manifest = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"))
    assert.deepStrictEqual(Object.keys(manifest.dependencies), ["better-sqlite3"])
    assert.match(manifest.dependencies["better-sqlite3"], /^\d+\.\d+\.\d+$/)
    assert.isUndefined(manifest.scripts)
    assert.deepStrictEqual(readdirSync(unpacked).sort(), [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "dist",
      "package.json",
      "src"
    ])
    const files = readdirSync(unpacked, { recursive: true, encoding: "utf8" })
    assert.deepStrictEqual(
      files.filter((file) => /\.map$|(?<!\.d)\.ts$/.test(file)),
      []
    )
  })

  it("has a client for games that programs import, of at most 12 KB and with its types", () => {
    const program =
      'import { createClient, memoryStorage } from "gamekeeper/sdk"; console.log(typeof createClient({ url: "http://127.0.0.1:9", key: "k", storage: memoryStorage() }).track)'
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: folder,
      encoding: "utf8"
    })
    assert.strictEqual(stdout.trim(), "function", stderr)
    for (const name of ["browser", "node"]) {
      const script = readFileSync(join(unpacked, "dist/sdk", `${name}.mjs`))
      assert.isAtMost(gzipSync(script).length, 12_000, name)
      const imported = [...script.toString().matchAll(/\bfrom"([^"]+)"/g)].map(([, from]) => from)
      assert.deepStrictEqual(imported, name === "node" ? ["node:fs/promises", "node:path"] : [])
      assert.match(readFileSync(join(unpacked, "dist/sdk", `${name}.d.ts`), "utf8"), /createClient/)
    }
  })

  it("has providers for OpenFeature, whose SDKs the application brings", () => {
    for (const [name, sdk] of [
      ["server", "@openfeature/server-sdk"],
      ["web", "@openfeature/web-sdk"]
    ]) {
      const script = readFileSync(join(unpacked, "dist/openfeature", `${name}.mjs`))
      assert.isAtMost(gzipSync(script).length, 12_000, name)
      const imported = [...script.toString().matchAll(/\bfrom"([^"]+)"/g)].map(([, from]) => from)
      assert.deepStrictEqual(new Set(imported), new Set([sdk, "@openfeature/core"]))
      assert.match(readFileSync(join(unpacked, "dist/openfeature", `${name}.d.ts`), "utf8"), /class Gamekeeper/)
    }
    const manifest = JSON.parse(readFileSync(join(unpacked, "package.json"), "utf8"))
    assert.deepStrictEqual(Object.keys(manifest.peerDependencies), Object.keys(manifest.peerDependenciesMeta))
  })

  it("is refused by a Node that is too old for its driver, in words", () => {
    const installed = join(folder, "installed")
    const driver = join(installed, "node_modules", "better-sqlite3")
    mkdirSync(join(driver, "lib"), { recursive: true })
    cpSync(join(unpacked, "src"), join(installed, "src"), { recursive: true })
    writeFileSync(join(driver, "package.json"), '{"main":"lib/index.js","engines":{"node":">=99"}}')
    writeFileSync(join(driver, "lib", "index.js"), "process.abort()")
    const { status, stderr } = spawnSync(process.execPath, [join(installed, "src", "start.mjs"), "--version"], {
      encoding: "utf8"
    })
    assert.strictEqual(status, 1)
    assert.match(stderr, /^gamekeeper: The SQLite driver .* needs Node 99 or later, and this is Node /)
  })

  it("has a writer's thread that loads no library of the server's thread", () => {
    assert.notInclude(readFileSync(join(unpacked, "dist", "EventWriter.mjs"), "utf8"), "node_modules/effect/")
  })

  it("serves the dashboard and the reference, and answers a first question, with nothing beside it", async () => {
    const server = await startServer(join(folder, "data"), [], {}, join(unpacked, "src/start.mjs"))
    const get = (path: string) => fetch(server.url + path, { headers: { accept: "text/html" } })
    for (const path of ["/", "/docs"]) {
      const page = await get(path)
      assert.deepStrictEqual([page.status, page.headers.get("content-type")?.split(";")[0]], [200, "text/html"], path)
      assert.match(await page.text(), /<html/)
    }
    const request = fetchRequest(server.url)
    const { body } = await request("GET", "/version")
    assert.deepStrictEqual(Object.keys(body), ["name", "version", "commit", "node"])
    assert.strictEqual(body.version, repository.version)

    const studio = await openStudio(request, "packed")
    const key = await mintKey(request, studio, { type: "public" })
    const markers = [{ markerId: randomUUID(), timestamp: Date.now(), type: "Login", userId: "u1" }]
    const sent = await request("POST", "/sdk/v1/markers", {
      headers: { authorization: key, environment: "production" },
      body: { markers }
    })
    assert.strictEqual(sent.status, 200)
    const chart = await request("POST", `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`, {
      headers: { ...studio.cookie, environment_id: String(studio.production) },
      body: {
        time: {
          step: "day",
          from: new Date(Date.now() - 86_400_000).toISOString(),
          to: new Date(Date.now() + 1000).toISOString()
        },
        metrics: [{ id: "A", data: { name: "Login", type: "totalEvents" } }]
      }
    })
    assert.strictEqual(chart.status, 200, chart.text)
    assert.strictEqual(chart.body.series[0].aggregate, 1)
    assert.strictEqual((await server.stop()).code, 0)
  })
})
