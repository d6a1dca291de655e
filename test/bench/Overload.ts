// Ten times what the built server can do, for a minute, and how it gets over it: I8. The client offers requests whether or not earlier
// ones were answered. The aims hold on a machine that has a processor each for the server and the client.
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { parseArgs } from "node:util"
import { fetchRequest, root, startServer, withFolder } from "../support/Server.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import type { Outcome, Task, Times, Verified } from "./OverloadClient.ts"
import { hand } from "./report/Hand.ts"
import { quantile, shown } from "./report/Numbers.ts"
import { atMost, row } from "./report/Row.ts"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    times: { type: "string", default: "10" },
    capacity: { type: "string", default: "5" }
  }
})
const many = "1000000/1000000"
/** High limits for one caller, which the client is: it is to be refused for the load alone. */
const args = ["--rate-limits", "on", "--poll-limit", many, "--evaluate-limit", many, "--ingest-limit", many]

/** What became of the client's requests, and how to have it look for what was acknowledged. */
const runClient = async (task: Task) => {
  const client = spawn(
    process.execPath,
    ["--import", "tsx", join(root, "test/bench/OverloadClient.ts"), JSON.stringify(task)],
    { stdio: ["pipe", "pipe", "inherit"] }
  )
  const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]()
  const next = async () => {
    const line = await lines.next()
    if (line.done === true) throw new Error("The client ended before it had told anything")
    return line.value
  }
  const outcome: Outcome = JSON.parse(await next())
  const verify = async (): Promise<Verified> => {
    client.stdin.write("verify\n")
    return JSON.parse(await next())
  }
  return { outcome, verify }
}

const residentMb = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const told = (name: string, { count, median, p99, longest }: Times) =>
  console.log(
    `  ${name.padEnd(18)} ${String(count).padStart(7)}   median ${median} ms, 99 % within ${p99} ms, longest ${longest} ms`
  )

await withFolder(async (folder) => {
  const server = await startServer(join(folder, "data"), args)
  const call = fetchRequest(server.url)
  const studio = await openStudio(call, "bench")
  const publicKey = await mintKey(call, studio, { type: "public" })
  const secretKey = await mintKey(call, studio, { permissions: ["analytics:read"] })
  await call("POST", `/application/${studio.applicationId}/v2/configuration`, {
    headers: { ...studio.cookie, environment_id: String(studio.production) },
    body: { name: "main", isPrimary: true, configuration: { speed: 1.5 } }
  })
  const task = {
    url: server.url,
    publicKey,
    secretKey,
    applicationId: studio.applicationId,
    environmentId: studio.production
  }

  const timed = async (method: string, path: string, more: Parameters<typeof call>[2] = {}) => {
    const started = performance.now()
    const { status } = await call(method, path, more)
    return { status, elapsed: performance.now() - started }
  }
  const game = { authorization: publicKey, environment: "production" }
  let ownMarkers = 0
  /** The longest of one request of each kind of games; infinite if one is refused. */
  const probe = async (): Promise<number> => {
    const body = { markers: [{ type: "Probe", userId: 1, timestamp: Date.now() }] }
    const answers = [
      await timed("GET", "/sdk/v2/status", { headers: game }),
      await timed("POST", "/sdk/v2/configurations/evaluate", {
        headers: game,
        body: { unit: { type: "user", distinctId: "probe" } }
      }),
      await timed("POST", "/sdk/v1/markers", { headers: game, body })
    ]
    if (answers[2]?.status === 200) ownMarkers++
    return answers.every(({ status }) => status === 200) ? Math.max(...answers.map(({ elapsed }) => elapsed)) : Infinity
  }

  const calmCrowd = await runClient({ ...task, seconds: Number(values.capacity), rate: null })
  const capacity = calmCrowd.outcome
  const quiet: Array<number> = []
  for (let n = 0; n < 40; n++) quiet.push(await probe())
  const normal = quantile(quiet, 0.9)
  const before = residentMb(server.process.pid)

  const rate = Math.round(capacity.perSecond * Number(values.times))
  const seconds = Number(values.seconds)
  const memory: Array<number> = []
  const health: Array<number> = []
  const refusals: Array<number> = []
  const over = new AbortController()
  /** What somebody notices who is not busy: the client itself may be slow to look at its answers. */
  const watch = async () => {
    while (!over.signal.aborted) {
      health.push((await timed("GET", "/health")).elapsed)
      const asked = await timed("GET", "/users/auth/accounts")
      if (asked.status === 503) refusals.push(asked.elapsed)
      memory.push(residentMb(server.process.pid))
      await sleep(50)
    }
  }
  const watching = watch()
  const crowd = await runClient({ ...task, seconds, rate })
  const { outcome } = crowd
  const ended = performance.now()
  over.abort()
  await watching

  let calm = 0
  let calmAt = Infinity
  while (calm < 10 && performance.now() - ended < 60_000) {
    const at = performance.now()
    calm = (await probe()) <= Math.max(3 * normal, 50) ? calm + 1 : 0
    if (calm === 1) calmAt = at
    await sleep(20)
  }

  const answer = await call("POST", `/application/${studio.applicationId}/analytics/v1/queries/insights/execute`, {
    headers: { authorization: `Bearer ${secretKey}`, environment_id: String(studio.production) },
    body: {
      time: { step: "day", timezone: "UTC", relative: { step: "day", value: 7 } },
      metrics: [
        {
          id: "A",
          visible: true,
          data: { name: ["LevelCompleted", "Login", "Purchase", "PlayerDied", "Probe"], type: "totalEvents" }
        }
      ]
    }
  })
  const found = Number(answer.body.series[0].aggregate)
  const acknowledged = capacity.acknowledged + outcome.acknowledged + ownMarkers

  console.log(
    `overload: ${Math.round(capacity.perSecond)} requests/s are what it can do; ${rate}/s offered for ${seconds} s`
  )
  console.log(`  sent ${outcome.sent}, not sent in time ${outcome.unsent}, cut off ${outcome.cutOff}`)
  for (const [kind, times] of Object.entries(outcome.accepted)) told(`accepted ${kind}`, times)
  for (const [kind, times] of Object.entries(outcome.refused)) told(`refused ${kind}`, times)
  console.log(`  answers: ${JSON.stringify(outcome.statuses)}`)
  console.log(
    `  /health during it: 99 % within ${Math.round(quantile(health, 0.99))} ms, longest ${Math.round(Math.max(...health))} ms`
  )
  const verified = [await calmCrowd.verify(), await crowd.verify()]
  const lost = verified.reduce((sum, { missing }) => sum + missing, 0) + Math.max(0, acknowledged - found)
  const batches = verified.reduce((sum, each) => sum + each.batches, 0)
  const offered = `${shown(Number(values.times))} times what it can do, for ${seconds} s`
  const health99 = shown(quantile(health, 0.99))
  hand([
    row("overload.lost", { what: `Acknowledged markers that were lost under ${offered}`, aim: atMost(0) }, [lost], {
      note: `${shown(acknowledged)} acknowledged; ${shown(batches)} batches were sent again`
    }),
    row("overload.memory", { what: `Memory under ${offered}`, peer: "before it", aim: atMost(3) }, [
      Math.max(...memory) / before
    ]),
    row(
      "overload.refusals",
      { what: "Refusals as an idle client sees them then, 99 % within", unit: "ms", aim: atMost(50) },
      [refusals.length === 0 ? 0 : quantile(refusals, 0.99)],
      { note: `${refusals.length} of them; /health 99 % within ${health99} ms` }
    ),
    row(
      "overload.after",
      { what: "Normal latency again after its end", unit: "s", aim: atMost(5) },
      [(calmAt - ended) / 1000],
      { note: `${shown(normal)} ms before` }
    )
  ])
  await server.stop()
})
process.exit()
