import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { isPublic } from "../../../src/adapters/node/PublicAddresses.ts"
import { WebhookSenderNode } from "../../../src/adapters/node/WebhookSender.ts"
import { WebhookSender } from "../../../src/ports/operations/WebhookSender.ts"

const send = (url: string, allowsPrivate = true) =>
  Effect.runPromise(
    Effect.flatMap(WebhookSender, (sender) =>
      sender.send({ url, headers: { "webhook-id": "e1" }, body: '{"name":"ü"}', allowsPrivate })
    ).pipe(Effect.provide(WebhookSenderNode))
  )

describe("a sender of webhooks", () => {
  const asked: Array<{ readonly method: string | undefined; readonly id: unknown; readonly body: string }> = []
  const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    "/hook": (_, response) => response.writeHead(200).end("thanks"),
    "/moved": (_, response) => response.writeHead(302, { location: "/hook" }).end(),
    "/endless": (_, response) => {
      response.writeHead(500)
      const more = () => response.destroyed || response.write("x".repeat(10_000), more)
      more()
    },
    "/cut": (_, response) => response.destroy(),
    "/switching": ({ socket }) =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n")
  }
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      asked.push({
        method: request.method,
        id: request.headers["webhook-id"],
        body: Buffer.concat(parts).toString("utf8")
      })
      answers[request.url ?? ""]?.(request, response)
    })
  })
  let home = ""

  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
  beforeAll(() => {
    const { port }: AddressInfo = Object(server.address())
    home = `http://127.0.0.1:${port}`
  })
  afterAll(() => void server.close())

  it("posts the message and answers what came back, its beginning of a long one", async () => {
    assert.deepStrictEqual(await send(`${home}/hook`), { kind: "answered", status: 200, text: "thanks" })
    assert.deepStrictEqual(asked.at(-1), { method: "POST", id: "e1", body: '{"name":"ü"}' })
    assert.deepInclude(await send(`${home}/endless`), { kind: "answered", status: 500, text: "x".repeat(1000) })
  })

  it("follows no redirect", async () => {
    const before = asked.length
    assert.deepInclude(await send(`${home}/moved`), { kind: "answered", status: 302 })
    assert.strictEqual(asked.length, before + 1)
  })

  it("takes an answer that switches to another protocol as any other, and hangs up", async () => {
    assert.deepStrictEqual(await send(`${home}/switching`), { kind: "answered", status: 101, text: "" })
  })

  it("says why nobody answered", async () => {
    assert.deepInclude(await send(`${home}/cut`), { kind: "unanswered", problem: "socket hang up" })
    const closed = await send("http://127.0.0.1:1/")
    assert.strictEqual(closed.kind, "unanswered")
  })

  it("asks no address that is not public unless that is allowed, whatever name leads there", async () => {
    const before = asked.length
    const port = home.split(":").at(-1)
    for (const host of ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f000001", "2130706433", "0"]) {
      const answer = await send(`https://${host}:${port}/hook`, false)
      assert.strictEqual(answer.kind, "unanswered")
      assert.match(answer.kind === "unanswered" ? answer.problem : "", /is no public address/, host)
    }
    assert.deepInclude(await send(`${home}/hook`, false), {
      kind: "unanswered",
      problem: "Only https is allowed: --private-webhooks on allows http"
    })
    assert.strictEqual(asked.length, before)
  })
})

describe("addresses", () => {
  it("are public or of a special network", () => {
    const open = ["1.1.1.1", "172.15.0.1", "172.32.0.1", "100.128.0.1", "223.255.255.255", "2606:4700::1111"]
    const closed = ["0.0.0.0", "10.1.2.3", "100.64.0.1", "127.9.9.9", "169.254.169.254", "172.16.0.1", "192.168.0.1"]
    const others = [
      "224.0.0.1",
      "255.255.255.255",
      "::",
      "::1",
      "fc00::1",
      "fe80::1%eth0",
      "ff02::1",
      "64:ff9b::7f00:1"
    ]
    const carrying = ["::ffff:10.0.0.1", "2002:7f00:1::", "2001:db8::1", "localhost", ""]
    assert.deepStrictEqual(
      open.filter((each) => !isPublic(each)),
      []
    )
    assert.deepStrictEqual([...closed, ...others, ...carrying].filter(isPublic), [])
  })
})
