import { createServer, request as send } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

const wait = (millis: number) => new Promise((done) => setTimeout(done, millis))

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Answered {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

const forward = (target: string, { method, url, headers }: IncomingMessage, body: Buffer) =>
  new Promise<Answered>((done, failed) => {
    const sent = send(target + url, { method, headers: { ...headers, "content-length": body.length } }, (response) => {
      void bodyOf(response).then(
        (answer) => done({ status: response.statusCode ?? 0, headers: response.headers, body: answer }),
        failed
      )
    })
    sent.on("error", failed).end(body)
  })

/** Does harm to this share of the requests, a fifth of it each: drops, cuts the answer off, delays, doubles, and answers that it is busy. */
export const flakyProxy = async (target: string, share: number, chance: () => number) => {
  const harms = { dropped: 0, cut: 0, delayed: 0, doubled: 0, busy: 0 }
  let requests = 0
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request)
    requests++
    const harm = chance() < share ? Math.floor(chance() * 5) : -1
    if (harm === 0) {
      harms.dropped++
      return void request.socket.destroy()
    }
    if (harm === 4) {
      harms.busy++
      return void response.writeHead(503, { "retry-after": "0" }).end("{}")
    }
    if (harm === 2) {
      harms.delayed++
      await wait(50 + chance() * 300)
    }
    if (harm === 3) {
      harms.doubled++
      await forward(target, request, body)
    }
    const answer = await forward(target, request, body)
    if (harm === 1) {
      harms.cut++
      response.writeHead(answer.status, answer.headers)
      response.write(answer.body.subarray(0, answer.body.length >> 1))
      return void setImmediate(() => request.socket.destroy())
    }
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    return new Promise((closed) => server.close(closed))
  }
  return { url: `http://127.0.0.1:${port}`, harms, requests: () => requests, close }
}
