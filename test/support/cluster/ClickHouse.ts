// ClickHouse's HTTP interface over chDB: the real engine with its SQL, one node, one statement at a time. A process of its own, since
// statements run in the thread that asks. Arguments: the port (0: any free one) and the folder. Prints the port when it answers.
import { mkdirSync, unlinkSync, writeFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:http"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { buffer } from "node:stream/consumers"
import { gunzipSync } from "node:zlib"

interface Session {
  readonly query: (sql: string, format: string) => string
  readonly queryBind: (sql: string, parameters: Readonly<Record<string, string>>, format: string) => string
  readonly close: () => void
}

const { Session } = createRequire(join(import.meta.dirname, "../../cluster/package.json"))("chdb") as {
  readonly Session: new (folder: string) => Session
}

const [port = "0", folder = "clickhouse"] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const session = new Session(folder)
// A server takes this with each statement, before it reads it; the library has it for all.
session.query("set max_query_size = 200000000", "TabSeparated")
let [database, files] = ["default", 0]

/** Parameters of the interface itself, and settings that one node without a network does not have. */
const own = new Set([
  "query",
  "database",
  "default_format",
  "query_id",
  "session_id",
  "user",
  "password",
  "role",
  "compress",
  "decompress",
  "enable_http_compression",
  "wait_end_of_query",
  "send_progress_in_http_headers",
  "http_headers_progress_interval_ms",
  "async_insert",
  "wait_for_async_insert",
  "insert_quorum",
  "select_sequential_consistency",
  "cancel_http_readonly_queries_on_client_close",
  "max_query_size"
])

const literal = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`

const settingsOf = (parameters: URLSearchParams): string =>
  [...parameters]
    .filter(([name]) => !own.has(name) && !name.startsWith("param_"))
    .map(([name, value]) => `${name} = ${literal(value)}`)
    .join(", ")

const insertion = /^insert\s+into\s+([\s\S]+?)\s+format\s+(\w+)\s*$/i

/** Rows come as the body: the engine reads them from a file. */
const insert = (target: string, format: string, rows: Buffer, settings: string): void => {
  const file = join(folder, `rows-${files++}`)
  writeFileSync(file, rows)
  try {
    const given = settings === "" ? "" : `settings ${settings}`
    session.query(`insert into ${target} from infile ${literal(file)} ${given} format ${format}`, "TabSeparated")
  } finally {
    unlinkSync(file)
  }
}

const select = (
  text: string,
  parameters: URLSearchParams,
  settings: string
): readonly [answer: string, format: string] => {
  const named = /\s+format\s+(\w+)\s*$/i.exec(text)
  const format = named?.[1] ?? parameters.get("default_format") ?? "TabSeparated"
  const plain = named === null ? text : text.slice(0, named.index)
  const takesSettings = settings !== "" && /^(select|with)\b/i.test(plain)
  const sql = takesSettings ? `${plain} settings ${settings}` : plain
  const bound = [...parameters]
    .filter(([name]) => name.startsWith("param_"))
    .map(([name, value]) => [name.slice(6), value])
  const answer =
    bound.length > 0 ? session.queryBind(sql, Object.fromEntries(bound), format) : session.query(sql, format)
  return [answer, format]
}

const execute = (parameters: URLSearchParams, body: Buffer): readonly [answer: string, format: string] => {
  const wanted = parameters.get("database") ?? "default"
  if (wanted !== database) session.query(`use \`${wanted}\``, "TabSeparated")
  database = wanted
  const settings = settingsOf(parameters)
  const named = parameters.get("query")
  const text = (named ?? body.toString()).trim().replace(/;\s*$/, "")
  const inserted = named === null ? null : insertion.exec(text)
  if (inserted === null) return select(text, parameters, settings)
  insert(inserted[1]!, inserted[2]!, body, settings)
  return ["", "TabSeparated"]
}

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
  const raw = await buffer(request).catch(() => undefined)
  // Whoever was killed while it sent a statement waits for no answer, and the engine goes on.
  if (raw === undefined) return
  if (pathname === "/ping") return void response.end("Ok.\n")
  const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(raw) : raw
  try {
    const [text, format] = execute(searchParams, body)
    response.writeHead(200, {
      "content-type": "text/plain; charset=UTF-8",
      "x-clickhouse-format": format,
      "x-clickhouse-query-id": searchParams.get("query_id") ?? "",
      "x-clickhouse-summary": "{}"
    })
    response.end(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const code = /Code: (\d+)/.exec(message)?.[1] ?? "1001"
    response.writeHead(500, { "x-clickhouse-exception-code": code })
    response.end(`Code: ${code}. ${message.replace(/^[\s\S]*?Code: \d+\. /, "")}\n`)
  }
}

const server = createServer((request, response) => void answer(request, response))
server.keepAliveTimeout = 120_000
server.listen(Number(port), "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
// A session must not be closed under a running statement: none runs here.
process.on("SIGTERM", () => {
  server.close()
  session.close()
  process.exit(0)
})
