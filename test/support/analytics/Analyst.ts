import { setTimeout } from "node:timers/promises"
import type { Studio } from "../access/Studio.ts"
import type { Answer, Call } from "../TestApp.ts"

type Request = (method: string, path: string, call?: Call) => Promise<Answer>

export const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Some time in which threads and other processes have the core: who only goes round and round keeps it from what they wait for. */
export const pause = () => setTimeout(2)

const maxWaitMilliseconds = 120_000
/** Turns of the event loop in which most of what is waited for happens. */
const firstTurns = 50

/** Comes back once it holds. The wait is bounded in time: on a busy machine thousands of turns of the event loop pass in no time. */
export const until = async (holds: () => boolean) => {
  const end = Date.now() + maxWaitMilliseconds
  for (let turns = 0; !holds(); await (turns++ < firstTurns ? turn() : pause()))
    if (Date.now() > end) throw new Error(`This did not hold within ${maxWaitMilliseconds / 1000} s: ${holds}`)
}

/** What an analyst does with the saved queries of a studio, by its owner's session unless other headers are given. */
export const analystOf = (request: Request, studio: Studio) => {
  const base = `/application/${studio.applicationId}/analytics/v1/queries`
  const headers = { ...studio.cookie, environment_id: String(studio.development) }
  const call = (method: string, path: string, body?: unknown, other: Record<string, string> = {}) =>
    request(method, `${base}${path}`, { headers: { ...headers, ...other }, ...(body === undefined ? {} : { body }) })
  const state = (queryId: string, executionId: string, other: Record<string, string> = {}) =>
    call("POST", `/${queryId}/executions/state`, { executionId }, other)
  /** The state once it is one of these. */
  const reachedWith = async (
    other: Record<string, string>,
    queryId: string,
    executionId: string,
    ...states: ReadonlyArray<string>
  ): Promise<Answer> => {
    for (const end = Date.now() + maxWaitMilliseconds; Date.now() < end;) {
      const answer = await state(queryId, executionId, other)
      if (answer.status !== 200 || states.includes(answer.body.state)) return answer
      await pause()
    }
    throw new Error(`Execution ${executionId} reached none of ${states.join(", ")} in ${maxWaitMilliseconds / 1000} s`)
  }
  return {
    call,
    state,
    save: (body: object) => call("POST", "", body),
    ask: (queryId: string, body: unknown = {}, other: Record<string, string> = {}) =>
      call("POST", `/${queryId}/executions`, body, other),
    cancel: (queryId: string, executionId: string) => call("POST", `/${queryId}/executions/cancel`, { executionId }),
    reachedWith,
    reached: (queryId: string, executionId: string, ...states: ReadonlyArray<string>) =>
      reachedWith({}, queryId, executionId, ...states)
  }
}

export type Analyst = ReturnType<typeof analystOf>

export const fortnight = { step: "day", timezone: "UTC", from: "2026-03-01T00:00:00Z", to: "2026-03-15T00:00:00Z" }

export const insightSpec = {
  time: fortnight,
  metrics: [{ id: "A", visible: true, data: { name: "Level", type: "totalEvents" } }]
}

export const savedInsight = { name: "Levels", queryType: "insight", spec: insightSpec }

/** From the first marker to the second. */
export const funnelSpec = {
  time: fortnight,
  steps: [
    { id: "a", name: "Start" },
    { id: "b", name: "Level" }
  ],
  conversionWindow: { step: "day", value: 1 },
  order: "ordered"
}

const retentionSpec = {
  time: fortnight,
  start: { name: "Start" },
  return: { name: "Level" },
  interval: "day",
  intervals: 3,
  startMode: "recurring",
  criterion: "on",
  window: "calendar"
}

/** A question of each type that needs no map. */
export const specs = { insight: insightSpec, funnel: funnelSpec, retention: retentionSpec }
