// Polls of games beside a bare server that answers the same bytes, and many open streams. Ratios; the rest depends on the machine.
import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { root, startServer, withFolder } from "../support/Server.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import type { Answer, Call } from "../support/TestApp.ts"
import { connections, fillConfigurations, pollsPerSecond } from "./PollLoad.ts"
import { hand } from "./report/Hand.ts"
import { median, ratios, shown } from "./report/Numbers.ts"
import { row } from "./report/Row.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    streams: { type: "string", default: "0" }
  }
})

const caller =
  (base: string) =>
  async (method: string, path: string, call: Call = {}): Promise<Answer> => {
    const response = await fetch(base + path, {
      method,
      headers: { ...(call.body === undefined ? {} : { "content-type": "application/json" }), ...call.headers },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) })
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: text === "" ? undefined : JSON.parse(text)
    }
  }

/** Milliseconds of processor that a process has taken. */
const processorOf = ({ pid }: ChildProcess): number => {
  const fields = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "").split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const residentOf = ({ pid }: ChildProcess): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0)

interface Measured {
  readonly perSecond: number
  readonly microseconds: number
}

const load = async (process: ChildProcess, url: string, headers: Record<string, string>): Promise<Measured> => {
  const before = processorOf(process)
  const seconds = Number(values.seconds)
  const perSecond = await pollsPerSecond([url], headers, seconds)
  return { perSecond, microseconds: ((processorOf(process) - before) / (perSecond * seconds)) * 1000 }
}

const startBare = (file: string) =>
  new Promise<{ readonly url: string; readonly process: ChildProcess }>((resolve) => {
    const child = spawn(process.execPath, ["--import", "tsx", join(root, "test/bench/BarePolls.ts"), file])
    child.stdout.on("data", (chunk: Buffer) => {
      const match = /http:\/\/\S+/.exec(chunk.toString())
      if (match !== null) resolve({ url: match[0], process: child })
    })
  })

const recorded = async (base: string, path: string, authorization: string) => {
  const response = await fetch(base + path, { headers: { authorization } })
  const body = await response.text()
  const hopByHop = new Set(["date", "connection", "keep-alive"])
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !hopByHop.has(name)))
  return [path, { status: response.status, headers, body }] as const
}

const polls = async (folder: string, server: Awaited<ReturnType<typeof startServer>>, authorization: string) => {
  const { hash } = (await caller(server.url)("GET", "/sdk/v2/status", { headers: { authorization } })).body
  const known = `/sdk/v2/status?hash=${hash}`
  const answers = [await recorded(server.url, known, authorization)]
  for (const path of ["/sdk/v2/status", "/sdk/v2/bootstrap"]) {
    answers.push(await recorded(server.url, path, authorization))
  }
  const file = join(folder, "answers.json")
  writeFileSync(file, JSON.stringify(Object.fromEntries(answers)))
  const bare = await startBare(file)
  console.log(`${connections} connections, medians of ${values.rounds} interleaved rounds of ${values.seconds} s`)
  for (const [path, { status, body }] of answers) {
    const ours: Array<Measured> = []
    const theirs: Array<Measured> = []
    // Both compile what they do before it counts.
    await load(server.process, server.url + path, { authorization })
    await load(bare.process, bare.url + path, { authorization })
    for (let round = 0; round < Number(values.rounds); round++) {
      ours.push(await load(server.process, server.url + path, { authorization }))
      theirs.push(await load(bare.process, bare.url + path, { authorization }))
    }
    const cost = (all: ReadonlyArray<Measured>) => median(all.map(({ microseconds }) => microseconds)).toFixed(0)
    const rates = [ours, theirs].map((all) => all.map(({ perSecond }) => perSecond))
    const [own = [], bares = []] = rates
    const name = path.replace(/=.*/, "=known")
    const what = `Polls a second of ${name}: ${status}, ${Buffer.byteLength(body)} bytes, ${connections} connections`
    const note = `${shown(median(own))}/s and ${shown(median(bares))}/s; processor ${cost(ours)} and ${cost(theirs)} µs a request`
    const peer = "node:http that writes the very same answer"
    hand([row(`polls.${name}`, { what, peer }, ratios(own, bares), { note })])
  }
  bare.process.kill()
}

interface Open {
  readonly streams: ReadonlyArray<IncomingMessage>
  /** Resolves once every stream has sent the text. */
  readonly heard: (text: string) => Promise<void>
}

const openStreams = async (url: string, headers: Record<string, string>, count: number): Promise<Open> => {
  const streams: Array<IncomingMessage> = []
  const alone = new Agent({ keepAlive: true, maxSockets: Infinity })
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(`${url}/sdk/v2/stream`, { agent: alone, headers }, (response) => {
        streams.push(response)
        response.once("data", () => resolve())
      })
      sent.on("error", reject)
      sent.end()
    })
  for (let n = 0; n < count; n += 50) await Promise.all(Array.from({ length: Math.min(50, count - n) }, open))
  const heard = async (text: string) => {
    const all = streams.map(
      (stream) =>
        new Promise<void>((resolve) => {
          const look = (chunk: Buffer) => {
            if (!chunk.toString().includes(text)) return
            stream.off("data", look)
            resolve()
          }
          stream.on("data", look)
        })
    )
    await Promise.all(all)
  }
  return { streams, heard }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 2000))

const hold = async (
  name: string,
  process: ChildProcess,
  url: string,
  headers: Record<string, string>,
  change: () => Promise<unknown>
) => {
  const count = Number(values.streams)
  await settle()
  const before = residentOf(process)
  const started = performance.now()
  const { heard, streams } = await openStreams(url, headers, count)
  const opened = performance.now() - started
  await settle()
  const perStream = (residentOf(process) - before) / count
  const everybody = heard("event: configuration")
  const changed = performance.now()
  await change()
  const answered = performance.now() - changed
  await everybody
  const delivered = performance.now() - changed
  const processor = processorOf(process)
  await new Promise((resolve) => setTimeout(resolve, 30_000))
  const idle = (processorOf(process) - processor) / 300
  const note =
    `opened in ${(opened / 1000).toFixed(1)} s; one change answered after ${answered.toFixed(0)} ms, with everybody ` +
    `after ${delivered.toFixed(0)} ms; ${idle.toFixed(1)} % of a processor while nothing happens`
  const what = `Memory of one of ${shown(count)} open streams, ${name}`
  hand([row(`streams.${name}`, { what, unit: "KiB" }, [perStream], { note })])
  for (const stream of streams) stream.destroy()
}

await withFolder(async (folder) => {
  const server = await startServer(join(folder, "data"), ["--rate-limits", "off"])
  const call = caller(server.url)
  const studio = await openStudio(call, "bench")
  const [id] = await fillConfigurations(call, studio)
  const authorization = await mintKey(call, studio, { type: "public" })
  if (Number(values.streams) === 0) {
    await polls(folder, server, authorization)
  } else {
    const path = `/application/${studio.applicationId}/v2/configuration/${id}`
    const changes = [{ op: "set", path: ["level1", "enemies"], value: 99 }]
    await hold("ours", server.process, server.url, { authorization }, () =>
      call("PATCH", path, { headers: studio.cookie, body: { changes } })
    )
    writeFileSync(join(folder, "answers.json"), "{}")
    const bare = await startBare(join(folder, "answers.json"))
    await hold("bare node:http", bare.process, bare.url, {}, () => fetch(bare.url, { method: "POST" }))
    bare.process.kill()
  }
  await server.stop()
})
process.exit()
