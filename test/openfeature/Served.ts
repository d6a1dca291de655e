import { type Client, createClient, memoryStorage, type Problem } from "../../src/sdk/node.ts"
import type { Storage } from "../../src/sdk/node.ts"
import { mintKey, openStudio, type Request } from "../support/access/Studio.ts"
import { definitions, experiments } from "./FlagDefinitions.ts"

/** `fetch` to an app that is called without a socket. */
const fetchOf =
  (request: Request): typeof fetch =>
  async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const raw = typeof init.body === "string" ? init.body : undefined
    const headers = Object.fromEntries(new Headers(init.headers))
    const answer = await request(init.method ?? "GET", url.pathname + url.search, {
      headers,
      ...(raw === undefined ? {} : { raw })
    })
    return new Response(answer.text === "" ? null : answer.text, { status: answer.status, headers: answer.headers })
  }

export interface Line {
  readonly client: Client
  readonly problems: ReadonlyArray<Problem>
  /** From then on nothing is reached, or everything waits, or it is reached again. */
  readonly set: (state: "up" | "down" | "waiting") => void
  /** The paths that were asked for. */
  readonly asked: Array<string>
}

/** A studio whose configuration `flags` holds the flags of the scenarios, and clients of its game. */
export const servedFlags = async (request: Request) => {
  const studio = await openStudio(request, "flags")
  const key = await mintKey(request, studio, { type: "public" })
  const headers = { ...studio.cookie, environment_id: String(studio.production) }
  const at = `/application/${studio.applicationId}/v2`
  const configuration = await request("POST", `${at}/configuration`, {
    headers,
    body: { name: "flags", configuration: definitions }
  })
  for (const body of experiments(configuration.body.id)) {
    const { status, text } = await request("POST", `${at}/experiments`, { headers, body })
    if (status !== 201) throw new Error(text)
  }

  const connect = (own: string = key, storage: Storage = memoryStorage()): Line => {
    let state: "up" | "down" | "waiting" = "up"
    const problems: Array<Problem> = []
    const asked: Array<string> = []
    const reach = fetchOf(request)
    const client = createClient({
      url: "http://test",
      key: own,
      environment: "production",
      storage,
      flushSeconds: 60,
      onProblem: (problem) => problems.push(problem),
      fetch: (input, init) => {
        asked.push(String(input).replace("http://test", ""))
        if (state === "down") return Promise.reject(new Error("the server is down"))
        return state === "waiting" ? new Promise(() => undefined) : reach(input, init)
      }
    })
    return { client, problems, asked, set: (wanted) => (state = wanted) }
  }

  const publish = (changed: object) =>
    request("PUT", `${at}/configuration/${configuration.body.id}`, {
      headers,
      body: { name: "flags", configuration: { ...definitions, ...changed } }
    })

  return { studio, key, connect, publish, headers }
}
