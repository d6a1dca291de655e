import { assert, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ClickHouse, ClickHouseFound, ClickHouseRefused } from "../../../src/adapters/clickhouse/ClickHouse.ts"

const failure = "Code: 241. DB::Exception: Memory limit (total) exceeded. (MEMORY_LIMIT_EXCEEDED)"

/**
 * Fails after the first rows, as ClickHouse 25.8 does: rows that are sent are followed by the failure as one more row, because the status is
 * sent too. Where the answer is to be held back until it is whole, the status tells of the failure.
 */
const failing = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://localhost")
  request.resume()
  if (searchParams.get("wait_end_of_query") === "1") {
    response.writeHead(500, { "x-clickhouse-exception-code": "241" })
    return void response.end(`${failure}\n`)
  }
  response.writeHead(200, { "x-clickhouse-format": "JSONCompactEachRow" })
  response.end(`["Level",3]\n["Login",5]\n[${JSON.stringify(failure)}]\n`)
})

const listening = Effect.acquireRelease(
  Effect.promise(async () => {
    failing.listen(0, "127.0.0.1")
    await once(failing, "listening")
    return (failing.address() as AddressInfo).port
  }),
  () => Effect.sync(() => void failing.close())
)

it.scopedLive(
  "a statement that fails after its first rows is refused, and not answered with what it had until then",
  () =>
    Effect.gen(function* () {
      const options = { url: `http://127.0.0.1:${yield* listening}`, database: "gamekeeper", timeout: 10_000 }
      const asked = Effect.flatMap(ClickHouse, ({ rows }) => rows<readonly [string, number]>("select type, count()"))
      const answer = yield* Effect.either(Effect.provide(asked, ClickHouseFound(options)))
      assert(Either.isLeft(answer) && answer.left instanceof ClickHouseRefused, JSON.stringify(answer))
      assert.strictEqual(answer.left.code, 241)
    })
)
