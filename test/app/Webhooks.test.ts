import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { eventually } from "../support/Npm.ts"
import { root, startServer } from "../support/Server.ts"

const [, receiverCode = ""] = /```js\n([^]*?)```/.exec(readFileSync(join(root, "docs/webhooks.md"), "utf8")) ?? []

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = Object(server.address())
      server.close(() => resolve(port))
    })
  })

describe("the built server and the receiver of the documents", () => {
  const folder = mkdtempSync(join(tmpdir(), "gamekeeper-webhooks-"))
  let server: Awaited<ReturnType<typeof startServer>>
  const args = ["--private-webhooks", "on"]

  beforeAll(async () => {
    server = await startServer(join(folder, "data"), args)
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it("agree on signatures; what was queued when the server was killed arrives after its next start", async () => {
    let cookie = ""
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(server.url + path, {
        method,
        headers: { "content-type": "application/json", cookie },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? cookie
      const text = await answer.text()
      assert.isBelow(answer.status, 300, text)
      return text === "" ? null : JSON.parse(text)
    }
    const person = { email: "ada@studio.example", password: "correct horse battery" }
    await call("POST", "/users/auth/signup", { name: "Ada", motive: "", ...person })
    const { organizations } = await call("POST", "/users/auth/signin", person)
    const [{ id: organizationId, applications }] = organizations
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/`
    const webhook = await call("POST", `/organization/${organizationId}/webhooks`, { name: "Receiver", url })
    const change = (name: string) =>
      call("POST", `/application/${applications[0].id}/v2/configuration`, { name, configuration: {} })
    await change("Shop")
    const tried = () => call("GET", `/organization/${organizationId}/webhooks/${webhook.id}/deliveries`)
    await eventually("an attempt without a receiver", async () => {
      const [delivery] = (await tried()).items
      return delivery?.tries === 1 ? true : undefined
    })
    server.process.kill("SIGKILL")
    await server.ended

    writeFileSync(join(folder, "receiver.mjs"), receiverCode)
    const receiver = spawn(process.execPath, [join(folder, "receiver.mjs")], {
      env: { ...process.env, PORT: String(port), WEBHOOK_SECRET: webhook.secret }
    })
    let told = ""
    receiver.stdout.on("data", (part: Buffer) => (told += part.toString()))
    await eventually("the receiver", () => (told.includes("listening") ? true : undefined))
    server = await startServer(join(folder, "data"), args)
    await eventually("the message that waited", () => (told.includes("configuration.created Shop") ? true : undefined))
    const forged = await fetch(url, { method: "POST", body: "{}", headers: { "webhook-signature": "v1,AA==" } })
    assert.strictEqual(forged.status, 401)
    receiver.kill()
    const { items } = await tried()
    assert.deepInclude(items[0], { type: "configuration.created", state: "delivered", tries: 2 })
  })
})
