import { Agent, request } from "node:http"
import type { Studio } from "../support/access/Studio.ts"
import type { Answer, Call } from "../support/TestApp.ts"

export const connections = 16
const agent = new Agent({ keepAlive: true, maxSockets: connections })

type Caller = (method: string, path: string, call?: Call) => Promise<Answer>

const get = (url: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      response.resume()
      response.on("end", () => resolve(response.statusCode ?? 0))
    })
    sent.on("error", reject)
    sent.end()
  })

/** Polls answered in a second by servers; each address has as many of the connections as the others. */
export const pollsPerSecond = async (
  urls: ReadonlyArray<string>,
  headers: Record<string, string>,
  seconds: number,
  count = connections
): Promise<number> => {
  const started = performance.now()
  const until = started + seconds * 1000
  let answered = 0
  const worker = async (url: string) => {
    while (performance.now() < until) {
      const status = await get(url, headers)
      if (status !== 200 && status !== 304) throw new Error(`${url} answered ${status}`)
      answered++
    }
  }
  await Promise.all(Array.from({ length: count }, (_, at) => worker(urls[at % urls.length]!)))
  return (answered / (performance.now() - started)) * 1000
}

/** Ten configurations of about 2 KiB, the first of them primary. */
export const fillConfigurations = async (call: Caller, { applicationId, cookie }: Studio) => {
  const level = (n: number) => [`level${n}`, { enemies: n * 3, boss: `boss-${n}`, reward: { gold: n * 10, gems: n } }]
  const configuration = Object.fromEntries(Array.from({ length: 30 }, (_, n) => level(n)))
  const ids: Array<number> = []
  for (let n = 0; n < 10; n++) {
    const created = await call("POST", `/application/${applicationId}/v2/configuration`, {
      headers: cookie,
      body: { name: `configuration ${n}`, configuration, privacy: [["level1", "boss"]], isPrimary: n === 0 }
    })
    if (created.status !== 201) throw new Error(created.text)
    ids.push(created.body.id)
  }
  return ids
}
