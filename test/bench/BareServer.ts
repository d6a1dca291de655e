// What HTTP ingest is measured against: node:http, JSON.parse, and the same rows into a bare better-sqlite3 table.
import Database from "better-sqlite3"
import { createServer } from "node:http"

const database = new Database(process.argv[2] ?? ":memory:")
database.pragma("journal_mode = wal")
database.pragma("synchronous = full")
database.exec("create table markers (id text, type text, unit text, at integer, body text)")
const insert = database.prepare("insert into markers values (?, ?, ?, ?, ?)")

interface Marker {
  readonly markerId: string
  readonly eventName: string
  readonly distinctId: string
  readonly timestamp: number
  readonly properties: unknown
}

export const insertBatch = database.transaction((markers: ReadonlyArray<Marker>) => {
  for (const { markerId, eventName, distinctId, timestamp, properties } of markers)
    insert.run(markerId, eventName, distinctId, timestamp, JSON.stringify(properties))
})

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { markers } = JSON.parse(Buffer.concat(chunks).toString())
    insertBatch(markers)
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ ingestedMarkersCount: markers.length }))
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object")
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
})
