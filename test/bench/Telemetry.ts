import { gameOf } from "../support/game/Game.ts"
import { openStudio } from "../support/access/Studio.ts"
import { openCollector } from "../support/operations/Collector.ts"
import { fetchRequest, startServer, withFolder } from "../support/Server.ts"

/**
 * Processor time of the server for each request, by what it is asked, without a collector and with one: `npx tsx test/bench/Telemetry.ts`.
 * The server is asked for its own time, so that neither the collector nor the callers count. Each row is the least of several rounds.
 */
const requests = Number(process.argv[2] ?? 4000)
const rounds = Number(process.argv[3] ?? 5)
const callers = 16

const cases = [
  ["off", []],
  ["sample 0", ["--otlp-sample", "0"]],
  ["sample 0.1", ["--otlp-sample", "0.1"]],
  ["sample 1", ["--otlp-sample", "1"]]
] as const

type Ask = () => Promise<unknown>

const together = async (ask: Ask, count: number): Promise<void> => {
  let left = count
  const caller = async () => {
    while (left-- > 0) await ask()
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

const processorSeconds = (text: string): number =>
  Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1] ?? Number.NaN)

const token = "a-token-for-the-bench-of-telemetry"

const measure = (endpoint: string, args: ReadonlyArray<string>) =>
  withFolder(async (folder) => {
    const telling = args.length === 0 ? [] : ["--otlp-endpoint", endpoint, "--otlp-signals", "traces", ...args]
    const server = await startServer(folder, ["--metrics-token", token, "--sign-up", "open", ...telling])
    const request = fetchRequest(server.url)
    const studio = await openStudio(request, "ada")
    const game = await gameOf(request, studio)
    const post = { method: "POST", headers: { authorization: game.publicKey, "content-type": "application/json" } }
    const asks: Readonly<Record<string, Ask>> = {
      poll: () =>
        fetch(`${server.url}/sdk/v2/configurations`, { headers: { authorization: game.publicKey } }).then((answer) =>
          answer.arrayBuffer()
        ),
      markers: () => {
        const body = JSON.stringify({ markers: [{ type: "Login", userId: 1, timestamp: Date.now() }] })
        return fetch(`${server.url}/sdk/v1/markers`, { ...post, body }).then((answer) => answer.arrayBuffer())
      },
      dashboard: () =>
        fetch(`${server.url}/application/${studio.applicationId}/environments`, { headers: studio.cookie }).then(
          (answer) => answer.arrayBuffer()
        )
    }
    const used = async () => {
      const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
      return processorSeconds(await answer.text())
    }
    const least: Record<string, number> = {}
    for (const [name, ask] of Object.entries(asks)) {
      await together(ask, requests / 2)
      for (let round = 0; round < rounds; round++) {
        const before = await used()
        await together(ask, requests)
        const micros = ((await used()) - before) * (1e6 / requests)
        least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, micros)
      }
    }
    await server.stop()
    return least
  })

const collector = await openCollector()
for (const [name, args] of cases) {
  const least = await measure(collector.url, args)
  const told = Object.entries(least).map(([kind, micros]) => `${kind} ${micros.toFixed(0)} µs`)
  console.log(`${name}: ${told.join(", ")}; ${collector.spans.length} spans`)
  collector.spans.length = 0
  collector.asked.length = 0
}
await collector.close()
