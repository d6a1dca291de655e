import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { until } from "../support/analytics/Analyst.ts"
import { openCollector, recordOf } from "../support/operations/Collector.ts"
import { gamekeeper, root, startServer, withFolder } from "../support/Server.ts"

describe("the built server and a collector", () => {
  it.each([
    ["GAMEKEEPER_OTLP_ENDPOINT", "collector:4318"],
    ["GAMEKEEPER_OTLP_ENDPOINT", "http://ada:secret@collector:4318"],
    ["GAMEKEEPER_OTLP_SAMPLE", "1.1"],
    ["GAMEKEEPER_OTLP_SAMPLE", "-0.1"],
    ["GAMEKEEPER_OTLP_SIGNALS", "traces,spans"],
    ["GAMEKEEPER_OTLP_HEADERS", "no-value"],
    ["GAMEKEEPER_OTLP_HEADERS", "key=%0d%0ainjected: yes"],
    ["GAMEKEEPER_OTLP_METRIC_SECONDS", "0"]
  ])("refuses %s=%s, and names it", (variable, value) =>
    withFolder(async (folder) => {
      const { code, out, err } = await gamekeeper(["--data", folder, "--port", "0"], { [variable]: value }).ended
      assert.strictEqual(code, 1)
      assert.include(out + err, variable)
    })
  )

  it("tells it by its variables what it is told to tell", () =>
    withFolder(async (folder) => {
      const collector = await openCollector()
      const server = await startServer(folder, ["--slow-query-ms", "0", "--warm-up", "off"], {
        GAMEKEEPER_OTLP_ENDPOINT: `${collector.url}/`,
        GAMEKEEPER_OTLP_HEADERS: "Authorization=Basic%20abc, x-tenant=one",
        GAMEKEEPER_OTLP_SIGNALS: "traces, metrics",
        GAMEKEEPER_OTLP_METRIC_SECONDS: "1"
      })
      await fetch(`${server.url}/ready`)
      await until(() => collector.spans.some(({ name }) => name === "system.ready"))
      await until(() => collector.metrics.some(({ name }) => name === "gamekeeper_info"))
      assert.strictEqual((await server.stop()).code, 0)
      const paths = [...new Set(collector.asked.map(({ path }) => path))]
      assert.deepStrictEqual(paths.toSorted(), ["/v1/metrics", "/v1/traces"])
      const [told] = collector.asked
      assert(told !== undefined)
      const { headers, body } = told
      assert.deepStrictEqual([headers["authorization"], headers["x-tenant"]], ["Basic abc", "one"])
      const [first] = JSON.parse(body).resourceMetrics ?? JSON.parse(body).resourceSpans
      const names = ["service.instance.id", "service.name", "service.version"]
      assert.deepStrictEqual(Object.keys(recordOf(first.resource.attributes)).toSorted(), names)
      await collector.close()
    }))

  it("starts, answers and stops without it, and says so once", () =>
    withFolder(async (folder) => {
      const collector = await openCollector()
      await collector.close()
      const args = ["--otlp-endpoint", collector.url, "--otlp-signals", "traces", "--warm-up", "off"]
      const server = await startServer(folder, args)
      assert.strictEqual((await fetch(`${server.url}/ready`)).status, 200)
      await until(() => server.output().err.includes("ECONNREFUSED"))
      const { code, err } = await server.stop()
      assert.strictEqual(code, 0)
      assert.strictEqual(err.split("Traces cannot be sent").length, 2, err)
    }))

  it("keeps what exports out of what every start loads", () => {
    const dist = join(root, "dist")
    const text = (name: string) => readFileSync(join(dist, name), "utf8")
    const loaded = new Set<string>()
    const load = (name: string): void => {
      if (loaded.has(name)) return
      loaded.add(name)
      for (const [, part = ""] of text(name).matchAll(/(?:from|import)\s*"\.\/(part-\w+\.mjs)"/g)) load(part)
    }
    load("main.mjs")
    const exporting = readdirSync(dist).filter((name) => name.endsWith(".mjs") && text(name).includes("resourceSpans"))
    assert.isNotEmpty(exporting)
    assert.deepStrictEqual(
      exporting.filter((name) => loaded.has(name)),
      []
    )
  })
})
