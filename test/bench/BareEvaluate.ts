// What evaluation is measured against: node:http that parses the body, reads one row by its key and answers as many bytes.
import Database from "better-sqlite3"
import { createServer } from "node:http"

const [file = "", rows = "0", bytes = "0"] = process.argv.slice(2)
const db = new Database(file)
db.pragma("journal_mode = wal")
db.exec("create table assignment (unit text primary key, data text not null) strict, without rowid")
const insert = db.prepare("insert into assignment values (?, ?)")
db.transaction(() => {
  for (let row = 0; row < Number(rows); row++) insert.run(`u${row}`, JSON.stringify({ group: row % 2, version: 1 }))
})()
const find = db.prepare<[string], { data: string }>("select data from assignment where unit = ?")
const filling = "x".repeat(Math.max(0, Number(bytes) - 60))

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const { unit, units } = JSON.parse(Buffer.concat(chunks).toString())
    const asked: ReadonlyArray<{ distinctId: string }> = units ?? [unit]
    const found = asked.map(({ distinctId }) => find.get(distinctId)?.data ?? null)
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ found, filling }))
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object")
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
})
