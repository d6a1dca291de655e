import { spawn } from "node:child_process"
import { createServer, request as send } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { mintKey, openStudio } from "../access/Studio.ts"
import { fetchRequest, root, startServer } from "../Server.ts"

/** A network that counts: requests, and bytes of whole connections with their headers. One that is silent takes requests and answers none. */
const countingProxy = async (target: string, isSilent: boolean) => {
  const seen = { requests: 0, sentBytes: 0, receivedBytes: 0 }
  const ends: Array<Promise<void>> = []
  const server = createServer((request, response) => {
    seen.requests++
    if (isSilent) return
    const { method, url = "", headers } = request
    const forwarded = send(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    forwarded.on("error", () => response.destroy())
    request.pipe(forwarded)
  })
  server.on("connection", (socket) => {
    const ended = new Promise<void>((end) => socket.on("close", () => end()))
    ends.push(
      ended.then(() => {
        seen.sentBytes += socket.bytesRead
        seen.receivedBytes += socket.bytesWritten
      })
    )
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  const { port } = server.address() as AddressInfo
  /** What was seen, once every connection has ended. */
  const close = async () => {
    await Promise.all(ends)
    await new Promise((closed) => server.close(closed))
    return seen
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

interface Started {
  readonly cpuMillis: number
  readonly price: number
}

const started = (game: object) =>
  new Promise<Started>((done, failed) => {
    const child = spawn(process.execPath, [join(root, "test/support/sdk/Starter.mjs"), JSON.stringify(game)], {
      stdio: ["ignore", "pipe", "inherit"]
    })
    let out = ""
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()))
    child.on("close", (code) => (code === 0 ? done(JSON.parse(out)) : failed(new Error(`The game ended with ${code}`))))
  })

const median = (values: ReadonlyArray<number>) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/**
 * What a game pays until the first value of a configuration can be read: processor time of loading the client and making one, then requests
 * and bytes, without a copy that is kept and with one. With a copy the network answers nothing, so the value is the copy's.
 */
export const startBudget = async (folder: string, starts: number) => {
  const server = await startServer(join(folder, "start-data"), ["--warm-up", "off"])
  const request = fetchRequest(server.url)
  const studio = await openStudio(request, "starting")
  const key = await mintKey(request, studio, { type: "public" })
  await request("POST", `/application/${studio.applicationId}/v2/configuration`, {
    headers: { ...studio.cookie, environment_id: String(studio.production) },
    body: { name: "start", configuration: { price: 5, title: "Shop", sizes: [1, 2, 3] } }
  })
  const fileOf = (name: string) => join(root, "dist/sdk", `${name}.mjs`)
  const kept = join(folder, "start-queue")

  const costs: Record<string, number> = {}
  for (const name of ["browser", "node"]) {
    const cpu: Array<number> = []
    for (let start = 0; start < starts; start++) {
      cpu.push((await started({ file: fileOf(name), url: server.url, key })).cpuMillis)
    }
    costs[name] = median(cpu)
  }

  const first = async (isSilent: boolean) => {
    const proxy = await countingProxy(server.url, isSilent)
    const { price } = await started({ file: fileOf("node"), url: proxy.url, key, folder: kept })
    return { price, ...(await proxy.close()) }
  }
  const withoutCopy = await first(false)
  const withCopy = await first(true)
  await server.stop()
  return { cpuMillis: costs, withoutCopy, withCopy }
}
