import { join } from "node:path"
import { gameOf } from "../support/game/Game.ts"
import { openStudio } from "../support/access/Studio.ts"
import { openCollector } from "../support/operations/Collector.ts"
import { fetchRequest, startServer, withFolder } from "../support/Server.ts"

/**
 * Processor time of the server for each request, by what it is asked, without a collector and with one: `npx tsx test/bench/Telemetry.ts`.
 * The server is asked for its own time, so that neither the collector nor the callers count. Each number is the least of several rounds.
 */
const requests = Number(process.argv[2] ?? 2000)
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

const answered = async (answer: Response): Promise<void> => {
  if (answer.status >= 300) throw new Error(`${answer.status} ${await answer.text()}`)
  await answer.arrayBuffer()
}

/** A server with a studio, what is asked of it, and how to learn the processor time that it has used. */
const begin = async (folder: string, endpoint: string, args: ReadonlyArray<string>) => {
  const telling = args.length === 0 ? [] : ["--otlp-endpoint", endpoint, "--otlp-signals", "traces", ...args]
  const server = await startServer(folder, ["--metrics-token", token, "--sign-up", "open", ...telling])
  const request = fetchRequest(server.url)
  const studio = await openStudio(request, "ada")
  const game = await gameOf(request, studio)
  const authorization = { authorization: game.publicKey }
  const post = { method: "POST", headers: { ...authorization, "content-type": "application/json" } }
  const home = `${server.url}/application/${studio.applicationId}/environments`
  const asks: Readonly<Record<string, Ask>> = {
    poll: () => fetch(`${server.url}/sdk/v2/experiments/active`, { headers: authorization }).then(answered),
    markers: () => {
      const body = JSON.stringify({ markers: [{ type: "Login", userId: 1, timestamp: Date.now() }] })
      return fetch(`${server.url}/sdk/v1/markers`, { ...post, body }).then(answered)
    },
    dashboard: () => fetch(home, { headers: studio.cookie }).then(answered)
  }
  const used = async () => {
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    return processorSeconds(await answer.text())
  }
  return { asks, used, stop: server.stop }
}

const collector = await openCollector()
const told: Record<string, Record<string, number>> = {}

await withFolder(async (folder) => {
  const servers = []
  for (const [name, args] of cases) servers.push({ name, ...(await begin(join(folder, name), collector.url, args)) })
  for (const kind of ["poll", "markers", "dashboard"]) {
    // Rounds take turns, so that what else the machine does falls on all of them.
    for (let round = -1; round < rounds; round++) {
      for (const { name, asks, used } of servers) {
        const before = await used()
        await together(asks[kind]!, requests)
        const micros = ((await used()) - before) * (1e6 / requests)
        const row = (told[name] ??= {})
        if (round >= 0) row[kind] = Math.min(row[kind] ?? Number.POSITIVE_INFINITY, Math.round(micros))
      }
      collector.spans.length = 0
      collector.asked.length = 0
    }
  }
  for (const { stop } of servers) await stop()
})
await collector.close()
console.table(told)
