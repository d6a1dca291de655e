import { assert, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import { afterAll } from "vitest"
import { OtlpLogs } from "../../../src/adapters/otlp/Logs.ts"
import { Otlp } from "../../../src/adapters/otlp/Otlp.ts"
import { Telemetry } from "../../../src/ports/operations/Telemetry.ts"
import { openCollector, recordOf } from "../../support/operations/Collector.ts"

const collector = await openCollector()
afterAll(collector.close)

const options = { endpoint: collector.url, headers: {}, resource: { attributes: [] } }
const told = Layer.merge(Otlp({ ...options, sample: 1, metricSeconds: null }), OtlpLogs(options))

it("lines of the log have their level, annotations, cause and span", async () => {
  const work = Effect.gen(function* () {
    const { traces } = yield* Telemetry
    yield* Effect.logDebug("Nobody asks for this")
    yield* Effect.annotateLogs(Effect.logWarning("Slow query", { kind: "insight" }), { requestId: "one", rows: 3 })
    const span = traces!.begin(null, () => ({ name: "work", kind: "server", attributes: {} }))!
    yield* traces!.below(span, Effect.logError("It failed", Cause.fail("because")))
    return { traceId: span.traceId, spanId: span.spanId }
  })
  const span = await Effect.runPromise(Effect.scoped(Effect.provide(work, told)))
  const lines = collector.lines.map(({ severityText, body, attributes, traceId, spanId }) => {
    const { "exception.stacktrace": cause, ...rest } = recordOf(attributes)
    return [severityText, body.stringValue, rest, typeof cause, traceId, spanId]
  })
  assert.deepStrictEqual(lines, [
    ["WARN", 'Slow query {"kind":"insight"}', { requestId: "one", rows: 3 }, "undefined", undefined, undefined],
    ["ERROR", "It failed", {}, "string", span.traceId, span.spanId]
  ])
})
