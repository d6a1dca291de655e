// A server on a data folder that benchmarks have filled, as its owner meets it.
import { readFileSync } from "node:fs"
import { gamekeeper } from "../../support/Server.ts"
import { type Asker, askOverHttp, smallQuestion } from "../HeavyQuestions.ts"

const person = { email: "ada@studio.example", password: "correct horse battery staple" }

export interface Started {
  readonly url: string
  readonly pid: number
  /** Milliseconds from the start to the first answered request, and to the first answered question. */
  readonly request: number
  readonly question: number
  readonly stop: () => Promise<unknown>
}

/** Markers of the benchmarks are years old in some years. */
const args = ["--port", "0", "--rate-limits", "off", "--retention-days", "36500", "--query-timeout-seconds", "300"]

const signedIn = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/users/auth/signin`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(person)
  })
  if (response.status !== 200) throw new Error(await response.text())
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? ""
}

/** The owner of the folder, whose environment 1 has the markers. */
export const askerOf = (url: string, cookie: string): Asker => ({ url, cookie, applicationId: 1, environmentId: 1 })

/** Starts a server and asks it at once: whether it lives, and then the smallest question, if somebody is signed in. */
export const startOn = async (
  data: string,
  cookie: string | null,
  more: ReadonlyArray<string> = [],
  main?: string
): Promise<Started> => {
  const started = performance.now()
  const server = gamekeeper(["serve", "--data", data, ...args, ...more], {}, main)
  const url = await new Promise<string>((found, failed) => {
    server.process.stdout?.on("data", () => {
      const match = /listening on (http:\/\/\S+)/.exec(server.output().out)
      if (match?.[1] !== undefined) found(match[1])
    })
    void server.ended.then(({ err }) => failed(new Error(err)))
  })
  await (await fetch(`${url}/health`)).text()
  const request = performance.now() - started
  if (cookie !== null) await askOverHttp(askerOf(url, cookie), "insights", smallQuestion)
  const question = performance.now() - started
  const stop = () => {
    server.process.kill("SIGTERM")
    return server.ended
  }
  return { url, pid: server.process.pid ?? 0, request, question, stop }
}

/** Hundredths of a second of processor that the process has taken. */
const processorOf = (pid: number): number => {
  const fields = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "").split(" ")
  return Number(fields[11]) + Number(fields[12])
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until the process takes less than a twentieth of a core, or for so many seconds. */
export const untilIdle = async (pid: number, seconds: number): Promise<void> => {
  for (let waited = 0; waited < seconds; waited += 2) {
    const before = processorOf(pid)
    await sleep(2000)
    if (processorOf(pid) - before < 10) return
  }
}

/** Lets a server put the folder in order for itself, which is not what a start is measured by; answers the cookie of the owner. */
export const settled = async (data: string, main?: string): Promise<string> => {
  const { url, pid, stop } = await startOn(data, null, [], main)
  const cookie = await signedIn(url)
  await askOverHttp(askerOf(url, cookie), "insights", smallQuestion)
  await untilIdle(pid, 300)
  await stop()
  return cookie
}

/** What a browser fetches to show the dashboard. */
export const serveDashboard = async (url: string): Promise<void> => {
  const page = await (await fetch(url)).text()
  const files = [...page.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path)
  for (const path of files) await (await fetch(url + path)).arrayBuffer()
}
