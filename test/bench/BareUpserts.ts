// What first evaluations are measured against: node:http that parses the body and writes one row for each unit; those of all requests
// that wait share one commit, which is on disk before any of them is answered.
import Database from "better-sqlite3"
import { createServer, type ServerResponse } from "node:http"

const [file = "", , bytes = "0"] = process.argv.slice(2)
const db = new Database(file)
db.pragma("journal_mode = wal")
db.pragma("synchronous = full")
db.exec("create table assignment (unit text primary key, data text not null) strict, without rowid")
const upsert = db.prepare(
  "insert into assignment values (?, ?) on conflict (unit) do update set data = excluded.data returning data"
)
const filling = "x".repeat(Math.max(0, Number(bytes) - 60))

interface Waiting {
  readonly units: ReadonlyArray<{ readonly distinctId: string }>
  readonly response: ServerResponse
}
let waiting: Array<Waiting> = []

const write = db.transaction((all: ReadonlyArray<Waiting>) =>
  all.map(({ units }) =>
    units.map(({ distinctId }, at) => upsert.get(distinctId, JSON.stringify({ group: at % 2, version: 1 })))
  )
)

const commit = () => {
  const all = waiting
  waiting = []
  const found = write(all)
  for (const [at, { response }] of all.entries()) {
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ found: found[at], filling }))
  }
}

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { unit, units } = JSON.parse(Buffer.concat(chunks).toString())
    if (waiting.length === 0) setImmediate(commit)
    waiting.push({ units: units ?? [unit], response })
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object")
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
})
