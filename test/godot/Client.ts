import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, assert, describe, it, vi } from "vitest"
import { MemoryStores } from "../../src/app/Layers.ts"
import { snippetsOf } from "../../src/web/setup/Snippets.ts"
import { copiesOnDiskTests } from "../clients/CopiesOnDisk.ts"
import { clientOnDiskTests, type Language } from "../clients/OnDisk.ts"
import { sendingTests } from "../clients/Sending.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { root } from "../support/Server.ts"
import { testApp } from "../support/TestApp.ts"

/** Godot 4: the name of the program, or where it is. */
const godot = process.env["GAMEKEEPER_GODOT"] ?? "godot"

const language: Language = {
  name: "Godot",
  made: (folder) => {
    const project = join(folder, "project")
    cpSync(join(root, "docs/clients/godot"), join(project, "gamekeeper"), { recursive: true })
    cpSync(join(root, "test/godot/player.gd"), join(project, "player.gd"))
    // What the editor would only warn of is an error here.
    const warnings = [
      "untyped_declaration",
      "unused_variable",
      "shadowed_variable",
      "integer_division",
      "narrowing_conversion"
    ]
    writeFileSync(
      join(project, "project.godot"),
      ["config_version=5", "[debug]", ...warnings.map((name) => `gdscript/warnings/${name}=2`), ""].join("\n")
    )
    const player = ["--headless", "--no-header", "--path", project, "--script", "player.gd", "--"]
    return ({ url, key, folder: queue, mostWaiting, flushSeconds }) => [
      godot,
      ...player,
      "res://gamekeeper/gamekeeper.gd",
      url,
      key,
      queue,
      String(mostWaiting),
      String(flushSeconds)
    ]
  }
}

clientOnDiskTests(language)
copiesOnDiskTests(language)
sendingTests(language)

describe("the first marker of the setup page", () => {
  const app = testApp(MemoryStores)
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-godot-"))
  const answers: Array<readonly [status: number, text: string]> = []
  const server = createServer((incoming, outgoing) => {
    void text(incoming).then(async (raw) => {
      const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
      const answer = await app.request(incoming.method ?? "", incoming.url ?? "", { headers, raw })
      answers.push([answer.status, answer.text])
      outgoing.writeHead(answer.status).end(answer.text)
    })
  })

  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it("is stored when the node of the snippet is ready", async () => {
    const studio = await openStudio(app.request, "snippet")
    const key = await mintKey(app.request, studio, { type: "public" })
    await once(server.listen(0, "127.0.0.1"), "listening")
    const address = `http://127.0.0.1:${Object(server.address()).port}`
    const facts = { server: address, key, environment: "production" }
    const snippet = snippetsOf(facts, Date.now()).find(({ id }) => id === "godot")
    writeFileSync(join(folder, "project.godot"), "config_version=5\n")
    writeFileSync(join(folder, "first.gd"), snippet?.text ?? "")
    const scene = '[gd_scene format=3]\n[ext_resource type="Script" path="res://first.gd" id="1"]\n'
    writeFileSync(
      join(folder, "main.tscn"),
      `${scene}[node name="First" type="HTTPRequest"]\nscript = ExtResource("1")\n`
    )
    const game = spawn(godot, ["--headless", "--path", folder, "res://main.tscn"], { stdio: "ignore" })
    try {
      await vi.waitFor(() => assert.lengthOf(answers, 1), { timeout: 60_000, interval: 20 })
    } finally {
      game.kill("SIGKILL")
    }
    assert.strictEqual(answers[0]?.[0], 200, answers[0]?.[1])
    assert.match(answers[0]?.[1] ?? "", /1 markers? stored/)
  })
})
