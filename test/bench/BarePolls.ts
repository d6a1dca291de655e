// What polls are measured against: node:http that writes the very same answers, and holds streams open.
import { createServer } from "node:http"
import type { ServerResponse } from "node:http"
import { readFileSync } from "node:fs"

interface Recorded {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

const recorded: Record<string, Recorded> = JSON.parse(readFileSync(process.argv[2]!, "utf8"))
const answers = new Map(Object.entries(recorded).map(([url, each]) => [url, { ...each, body: Buffer.from(each.body) }]))
const streams = new Set<ServerResponse>()

const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? "")
  if (answer !== undefined) {
    response.writeHead(answer.status, answer.headers)
    return response.end(answer.status === 304 ? undefined : answer.body)
  }
  if (request.method === "POST") {
    const bytes = Buffer.from('event: configuration\nid: 1\ndata: {"ids":[1]}\n\n')
    for (const stream of streams) stream.write(bytes)
    return response.end("{}")
  }
  response.writeHead(200, { "content-type": "text/event-stream" })
  response.write("retry: 2000\n\n")
  streams.add(response)
  return response.on("close", () => streams.delete(response))
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object")
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
})
