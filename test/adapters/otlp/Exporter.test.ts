import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { afterAll } from "vitest"
import { makeExporter } from "../../../src/adapters/otlp/Exporter.ts"
import { until } from "../../support/analytics/Analyst.ts"
import { type Collector, type Manner, openCollector } from "../../support/operations/Collector.ts"

/** Runs with a collector of that manner, an exporter for numbers that lets ten wait, and the lines of the log that it leaves. */
const exporting = async (
  manner: Manner,
  work: (push: (item: number) => void, collector: Collector, told: ReadonlyArray<string>) => Promise<unknown>
) => {
  const collector = await openCollector(manner)
  afterAll(collector.close)
  const lines: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ logLevel, message }) => void lines.push(`${logLevel.label} ${String(message)}`))
  )
  const options = {
    name: "Numbers",
    url: `${collector.url}/v1/traces`,
    headers: { "api-key": "secret" },
    most: 10,
    perBatch: 4,
    every: "10 millis" as const,
    encode: (items: ReadonlyArray<number>) => ({
      resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [], items }]
    })
  }
  const run = Effect.flatMap(makeExporter<number>(options), ({ push }) =>
    Effect.promise(() => work(push, collector, lines))
  )
  await Effect.runPromise(Effect.scoped(run).pipe(Effect.provide(logger)))
  return { lines, collector }
}

const itemsOf = (asked: Collector["asked"]): ReadonlyArray<ReadonlyArray<number>> =>
  asked.map(({ body }) => JSON.parse(body).resourceSpans[0].items)

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("what is sent to a collector", () => {
  it("goes in batches, in order, with the headers, and says nothing", async () => {
    const { lines, collector } = await exporting(200, (push, { asked }) => {
      numbers(10).forEach(push)
      return until(() => itemsOf(asked).flat().length === 10)
    })
    // What was on its way at the end is sent again.
    assert.deepStrictEqual(itemsOf(collector.asked).slice(0, 3), [
      [0, 1, 2, 3],
      [4, 5, 6, 7],
      [8, 9]
    ])
    assert.strictEqual(collector.asked[0]?.headers["api-key"], "secret")
    assert.deepStrictEqual(lines, [])
  })

  it("is sent to the end when the server stops", async () => {
    const { collector } = await exporting(200, async (push) => numbers(6).forEach(push))
    assert.deepStrictEqual(itemsOf(collector.asked).flat(), numbers(6))
  })

  it("waits in bounds for a collector that is down, which is told once, and comes when it is there", async () => {
    const { lines, collector } = await exporting(503, async (push, { asked, state }, told) => {
      numbers(100).forEach(push)
      await until(() => asked.length >= 2)
      state.manner = 200
      await until(() => told.length === 2)
    })
    const sent = new Set(itemsOf(collector.asked).flat())
    assert.deepStrictEqual([...sent], numbers(10))
    assert.strictEqual(lines.length, 2, lines.join("\n"))
    assert.match(lines[0] ?? "", /^WARN Numbers cannot be sent to http:\S+ \(status 503\): at most 10 wait/)
    assert.strictEqual(lines[1], "INFO Numbers are sent again; 90 were dropped")
  })

  it("is not sent again where it is refused for ever", async () => {
    const { lines, collector } = await exporting(400, async (push, { asked, state }, told) => {
      numbers(2).forEach(push)
      await until(() => asked.length === 1)
      state.manner = 200
      push(2)
      await until(() => told.length === 2)
    })
    assert.deepStrictEqual(itemsOf(collector.asked), [[0, 1], [2]])
    assert.strictEqual(lines.length, 2, lines.join("\n"))
    assert.include(lines[1], "2 were dropped")
  })

  it.each<readonly [string, Manner]>([
    ["never answers", "silent"],
    ["is down", 503]
  ])("keeps nobody waiting at the end for a collector that %s", async (_case, manner) => {
    const { lines, collector } = await exporting(manner, (push, { asked }) => {
      numbers(50).forEach(push)
      return until(() => asked.length === 1)
    })
    assert.isAtMost(lines.length, 1)
    assert.isAtLeast(collector.asked.length, 1)
  })

  it("names what keeps it from a collector that is not there, without its headers", async () => {
    const { lines } = await exporting(200, async (push, { close }, told) => {
      await close()
      push(1)
      await until(() => told.length === 1)
    })
    assert.match(lines.join(), /ECONNREFUSED/)
    assert.notInclude(lines.join(), "secret")
  })
})
