// Evaluation for one unit and for 250 at once, at ten experiments and many assigned units, beside a bare server with one point read; and of units that
// nobody has seen before, beside one with one upsert for each.
import { spawn } from "node:child_process"
import { Agent, request } from "node:http"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { fetchRequest, root, startServer, withFolder } from "../support/Server.ts"
import type { Request, Studio } from "../support/access/Studio.ts"
import { mintKey, openStudio } from "../support/access/Studio.ts"
import { hand } from "./report/Hand.ts"
import { held, type MustHold } from "./report/MustHold.ts"
import { median, ratios, shown } from "./report/Numbers.ts"
import { type Aim, atLeast, row } from "./report/Row.ts"

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    units: { type: "string", default: "100000" },
    experiments: { type: "string", default: "10" }
  }
})

const connections = 16
const bulkSize = 250
const experiments = Number(values.experiments)
const units = Number(values.units)
const agent = new Agent({ keepAlive: true, maxSockets: connections })

interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

const post = (url: string, headers: Record<string, string>, body: string) =>
  new Promise<string>((resolve, reject) => {
    const sent = request(
      url,
      {
        method: "POST",
        agent,
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), ...headers }
      },
      (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => (text += chunk))
        response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))))
      }
    )
    sent.on("error", reject)
    sent.end(body)
  })

const quantile = (sorted: ReadonlyArray<number>, part: number) => sorted[Math.floor(sorted.length * part)] ?? 0

const load = async (
  url: string,
  headers: Record<string, string>,
  bodyOf: (turn: number) => string
): Promise<Measured> => {
  const started = performance.now()
  const until = started + Number(values.seconds) * 1000
  const took: Array<number> = []
  let turn = 0
  const worker = async () => {
    while (performance.now() < until) {
      const begun = performance.now()
      await post(url, headers, bodyOf(turn++))
      took.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const perSecond = (took.length / (performance.now() - started)) * 1000
  const sorted = took.toSorted((a, b) => a - b)
  return { perSecond, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}

const startBare = (name: string, file: string, bytes: number) =>
  new Promise<{ readonly url: string; readonly stop: () => void }>((resolve) => {
    const script = join(root, "test/bench", name)
    const child = spawn(process.execPath, ["--import", "tsx", script, file, String(units), String(bytes)])
    child.stdout.on("data", (chunk: Buffer) => {
      const match = /http:\/\/\S+/.exec(chunk.toString())
      if (match !== null) resolve({ url: match[0], stop: () => child.kill() })
    })
  })

/** So many experiments, each on a key of its own of one configuration. */
const fill = async (call: Request, { applicationId, cookie }: Studio, name: string, count: number) => {
  const configuration = Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]))
  const create = (path: string, body: object) =>
    call("POST", `/application/${applicationId}/v2/${path}`, { headers: cookie, body })
  const { body } = await create("configuration", { name, configuration, isPrimary: name === "main" })
  for (let n = 0; n < count; n++) {
    const changeset = { operations: [{ op: "set", path: [`key${n}`], value: -1 }] }
    const created = await create("experiments", {
      name: `${name} ${n}`,
      unitType: "user",
      assignmentMode: "weightedHash",
      baseConfigurationId: body.id,
      groups: [
        { name: "control", weight: 5000 },
        { name: "other", weight: 5000, changeset }
      ]
    })
    if (created.status !== 201) throw new Error(created.text)
  }
}

const one = (turn: number) => JSON.stringify({ unit: { type: "user", distinctId: `u${(turn * 7919) % units}` } })

const many = (turn: number) =>
  JSON.stringify({
    unitType: "user",
    units: Array.from({ length: bulkSize }, (_, at) => ({ distinctId: `u${(turn * bulkSize + at) % units}` }))
  })

let seen = 0

const newOne = () => JSON.stringify({ unit: { type: "user", distinctId: `new${seen++}` } })

const newOneOfOne = () =>
  JSON.stringify({ configuration: "single", unit: { type: "user", distinctId: `new${seen++}` } })

const newMany = () =>
  JSON.stringify({ unitType: "user", units: Array.from({ length: bulkSize }, () => ({ distinctId: `new${seen++}` })) })

const read = { script: "BareEvaluate.ts", does: "one better-sqlite3 point read a unit" }
const upsert = { script: "BareUpserts.ts", does: "one better-sqlite3 upsert a unit in group commit" }

const must = (id: MustHold) => (rounds: ReadonlyArray<number>, note: string) => held(id, rounds, { note })

const firstBulk = (name: string, does: string, aim: Aim | null) => (rounds: ReadonlyArray<number>, note: string) =>
  row(
    `evaluate.firstBulk.${name}`,
    { what: `First evaluation of ${bulkSize} players in one request`, peer: `bare node:http with ${does}`, aim },
    rounds,
    { note }
  )

const firstOfOne = (rounds: ReadonlyArray<number>, note: string) =>
  row(
    "evaluate.firstOfOne",
    {
      what: "First evaluation of each player, one experiment",
      peer: `bare node:http with ${upsert.does}`,
      aim: null
    },
    rounds,
    { note }
  )

await withFolder(async (folder) => {
  const server = await startServer(join(folder, "data"), ["--rate-limits", "off"])
  const call = fetchRequest(server.url)
  const studio = await openStudio(call, "bench")
  await fill(call, studio, "main", experiments)
  const headers = { authorization: await mintKey(call, studio, { type: "public" }) }
  const bulk = `${server.url}/sdk/v2/experiments/assignments/bulk`
  const begun = performance.now()
  for (let turn = 0; turn * bulkSize < units; turn++) await post(bulk, headers, many(turn))
  console.log(
    `${units} units assigned to ${experiments} experiments in ${((performance.now() - begun) / 1000).toFixed(1)} s; ` +
      `${connections} connections, medians of ${values.rounds} interleaved rounds of ${values.seconds} s`
  )
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const evaluate = `${server.url}/sdk/v2/configurations/evaluate`
  const questions = [
    { tell: must("evaluate.later"), url: evaluate, bodyOf: one, size: 1, bareOne: read },
    { tell: must("evaluate.bulk"), url: bulk, bodyOf: many, size: bulkSize, bareOne: read },
    { tell: must("evaluate.first"), url: evaluate, bodyOf: newOne, size: 1, bareOne: upsert },
    { tell: firstBulk("reads", read.does, atLeast(0.3)), url: bulk, bodyOf: newMany, size: bulkSize, bareOne: read },
    { tell: firstBulk("upserts", upsert.does, null), url: bulk, bodyOf: newMany, size: bulkSize, bareOne: upsert },
    { tell: firstOfOne, url: evaluate, bodyOf: newOneOfOne, size: 1, bareOne: upsert }
  ]
  const asked = performance.now()
  let turn = 0
  const first = async () => {
    while (turn < units) await post(evaluate, headers, one(turn++))
  }
  await Promise.all(Array.from({ length: connections }, first))
  const perSecond = (units / (performance.now() - asked)) * 1000
  console.log(`  every unit once, exposures still being written down: ${Math.round(perSecond)} units/s`)
  for (const [at, { tell, url, bodyOf, size, bareOne }] of questions.entries()) {
    // Not before: units of a request for many enter every experiment.
    if (tell === firstOfOne) await fill(call, studio, "single", 1)
    const bytes = Buffer.byteLength(await post(url, headers, bodyOf(0)))
    const bare = await startBare(bareOne.script, join(folder, `bare${at}.db`), size === 1 ? bytes : 0)
    const [ours, theirs]: [Array<Measured>, Array<Measured>] = [[], []]
    // Both compile what they do before it counts.
    await load(url, headers, bodyOf)
    await load(bare.url, {}, bodyOf)
    for (let round = 0; round < Number(values.rounds); round++) {
      ours.push(await load(url, headers, bodyOf))
      theirs.push(await load(bare.url, {}, bodyOf))
    }
    const each = (all: ReadonlyArray<Measured>) => all.map(({ perSecond }) => perSecond * size)
    const told = (all: ReadonlyArray<Measured>) =>
      `${shown(median(each(all)))} players/s, p50 ${shown(median(all.map(({ p50 }) => p50)))} ms, p99 ${shown(median(all.map(({ p99 }) => p99)))} ms`
    const note = `${told(ours)}; bare ${told(theirs)}`
    hand([tell(ratios(each(ours), each(theirs)), note)])
    bare.stop()
  }
  await server.stop()
})
process.exit()
