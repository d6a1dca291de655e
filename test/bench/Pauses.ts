// Pauses of the built server's main thread while it seals and while it is asked, and ingest while it is asked.
import Database from "better-sqlite3"
import { once } from "node:events"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import type { Event } from "../../src/domain/analytics/markers/Event.ts"
import { fetchRequest, root, startServer, withFolder } from "../support/Server.ts"
import type { Studio } from "../support/access/Studio.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { generate } from "./Generate.ts"
import { askOverHttp, funnel, insight } from "./HeavyQuestions.ts"
import { hand } from "./report/Hand.ts"
import { held } from "./report/MustHold.ts"
import { median, quantile, timed } from "./report/Numbers.ts"
import { below, row } from "./report/Row.ts"

const { values } = parseArgs({
  options: {
    events: { type: "string", default: "1e6" },
    seconds: { type: "string", default: "10" },
    rounds: { type: "string", default: "5" }
  }
})
const events = Number(values.events)
const rounds = Number(values.rounds)
const milliseconds = Number(values.seconds) * 1000
/** More markers than any machine so far has taken in during the rounds. */
const later = (rounds + 1) * milliseconds * 60
const connections = 8
const batchSize = 100
const sealAt = 65_536

const markerOf = ({ markerId, timestamp, type, unitId, sessionId, arguments: value, properties, position }: Event) => ({
  markerId,
  timestamp,
  type,
  value,
  userId: unitId,
  sessionId,
  properties: position === null ? properties : { ...properties, position }
})

const agent = new Agent({ keepAlive: true, maxSockets: connections })

/** Sends a batch; answers the milliseconds until it is acknowledged. */
const send = (url: string, key: string, batch: ReadonlyArray<Event>) => {
  const body = JSON.stringify({ markers: batch.map(markerOf) })
  const headers = { authorization: key, environment: "production", "content-type": "application/json" }
  const started = performance.now()
  return new Promise<number>((resolve, reject) => {
    const sent = request(`${url}/sdk/v1/markers`, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - started)
        else reject(new Error(`Refused with ${response.statusCode}`))
      })
    })
    sent.on("error", reject).end(body)
  })
}

/** Sends what is left, over several connections, for so long; answers the times to acknowledgement. */
const stream = async (url: string, key: string, batches: Iterator<ReadonlyArray<Event>>, until: number) => {
  const times: Array<number> = []
  const connection = async () => {
    while (performance.now() < until) {
      const { value, done } = batches.next()
      if (done === true) return
      times.push(await send(url, key, value))
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return times
}

const ask = (url: string, { applicationId, production, cookie }: Studio, kind: string, body: object) =>
  timed(() => askOverHttp({ url, applicationId, environmentId: production, ...cookie }, kind, body))

const askOn = async (url: string, studio: Studio, until: number, round: number): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  for (let turn = round * 1000; performance.now() < until; turn++) {
    times.push(await ask(url, studio, "funnels", funnel(turn)), await ask(url, studio, "insights", insight(turn)))
  }
  return times
}

const sleep = (duration: number) => new Promise((resolve) => setTimeout(resolve, duration))

/** Goes on until the tail is long enough to be sealed, or no longer. */
const untilTail = async (data: string, isLong: boolean, goOn: () => Promise<unknown>): Promise<void> => {
  const db = new Database(join(data, "events.sqlite"), { readonly: true })
  const tail = db.prepare<[], { events: number | null }>("select sum(events) as events from tail")
  while ((tail.get()?.events ?? 0) >= sealAt !== isLong) await goOn()
  db.close()
}

type Server = Awaited<ReturnType<typeof startServer>>

interface Paused {
  readonly longest: number
  readonly p99: number
  /** Milliseconds of processor that the thread took between two turns at most, which a busy machine does not make longer. */
  readonly processor: number
}

/** The pauses of the main thread since they were last asked for. */
const pauses = async ({ process: child, output }: Server): Promise<Paused> => {
  const before = output().err.length
  child.kill("SIGUSR2")
  for (;;) {
    const line = /pause (\{.*\})\n/.exec(output().err.slice(before))
    if (line !== null) return JSON.parse(line[1] ?? "")
    await once(child.stderr!, "data")
  }
}

const report = async (server: Server, id: string, what: string) => {
  const { longest, p99 } = await pauses(server)
  const note = `99 % within ${p99.toFixed(1)} ms`
  hand([row(`pauses.${id}`, { what: `Longest pause ${what}`, unit: "ms", aim: below(50) }, [longest], { note })])
}

const most = (all: ReadonlyArray<number>): number => Math.max(...all)

/** The worst of all rounds counts for the longest pause, the median for what 99 % are within. */
const tellBusy = (busy: ReadonlyArray<Paused>) => {
  const [longest, p99, processor] = [
    busy.map((each) => each.longest),
    busy.map((each) => each.p99),
    busy.map((each) => each.processor)
  ]
  const what = "Processor time of the server's thread in one turn at most, while it takes in, seals and answers"
  hand([
    held("pauses.p99", p99),
    held("pauses.longest", longest, { value: most(longest), note: "of all rounds" }),
    row("pauses.processor", { what, unit: "ms", aim: below(50) }, processor, { value: most(processor) })
  ])
}

await withFolder(async (folder) => {
  const probe = pathToFileURL(join(root, "test/bench/Probe.mjs")).href
  const args = ["--rate-limits", "off", "--retention-days", "36500", "--query-timeout-seconds", "300"]
  const data = join(folder, "data")
  const server = await startServer(data, args, { NODE_OPTIONS: `--import ${probe}` })
  const { url } = server
  const studio = await openStudio(fetchRequest(url), "bench")
  const key = await mintKey(fetchRequest(url), studio, { type: "public" })
  const batches = generate({ events: events + later, players: Math.max(1000, events / 100) }, batchSize)
  const some = function* (count: number) {
    for (let sent = 0; sent < count; sent++) yield batches.next().value ?? []
  }
  console.log(`pauses of the main thread, ${events} events, batches of ${batchSize} over ${connections} connections`)
  await stream(url, key, some(200), Infinity)
  await pauses(server)
  await sleep(2000)
  await report(server, "idle", "while nothing is asked of it")
  await stream(url, key, some(events / batchSize), Infinity)
  await report(server, "ingest", "while taking in and sealing")
  await untilTail(data, true, () => stream(url, key, some(20), Infinity))
  await pauses(server)
  await untilTail(data, false, () => sleep(100))
  await report(server, "seal", "while sealing alone")
  const heavy: Array<number> = []
  for (let turn = 0; turn < 5; turn++) {
    heavy.push(await ask(url, studio, "funnels", funnel(100 + turn)))
    heavy.push(await ask(url, studio, "insights", insight(100 + turn)))
  }
  await report(server, "questions", `during the heaviest questions, each up to ${most(heavy).toFixed(0)} ms`)
  const busy: Array<Paused> = []
  const beside: Array<number> = []
  const asked: Array<number> = []
  const alone = await stream(url, key, batches, performance.now() + milliseconds)
  await pauses(server)
  for (let round = 0; round < rounds; round++) {
    const until = performance.now() + milliseconds
    const [answers, questions] = await Promise.all([stream(url, key, batches, until), askOn(url, studio, until, round)])
    beside.push(quantile(answers, 0.99))
    asked.push(...questions)
    busy.push(await pauses(server))
  }
  tellBusy(busy)
  const within = { unit: "ms", what: "Acknowledgement of 100 markers, 99 % within: nobody asks" }
  const note = `${asked.length} questions, half of them within ${median(asked).toFixed(0)} ms`
  hand([
    row("pauses.alone", within, [quantile(alone, 0.99)]),
    row("pauses.beside", { ...within, what: within.what.replace("nobody asks", "questions beside") }, beside, { note })
  ])
  agent.destroy()
  await server.stop()
})
