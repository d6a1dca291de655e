// Questions over HTTP that take much: of all markers of the made-up game, with breakdowns.
import { day, days, firstDay, types } from "./Generate.ts"

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

const time = { step: "day", timezone: "UTC", from: iso(firstDay), to: iso(firstDay + days * day) }

/** No two turns alike, so that none is answered from the cache. */
export const funnel = (turn: number) => ({
  time,
  steps: Array.from({ length: 32 }, (_, step) => ({ id: `s${step}`, name: types[step % types.length] })),
  conversionWindow: { step: "day", value: 7 + (turn % 50) },
  breakdowns: [{ source: "property", name: "country" }]
})

/** No two turns alike. */
export const insight = (turn: number) => ({
  time,
  metrics: ["uniqueUsers", "totalSessions", "mau"].map((type, at) => ({ id: `M${at}`, data: { name: types, type } })),
  filters: [{ source: "argument", name: "level", operator: "greaterThanOrEqual", value: turn % 90 }],
  breakdowns: ["country", "platform"].map((name) => ({ source: "property", name })),
  breakdownLimit: 40
})

const percentiles = (turn: number) => ({
  time,
  metrics: [50, 95, 99].map((percentile, at) => ({
    id: `M${at}`,
    data: { name: types, type: "percentile", argument: ["score", "price", "level"][at], percentile }
  })),
  filters: [{ source: "argument", name: "score", operator: "greaterThanOrEqual", value: turn }],
  breakdowns: [{ source: "argument", name: "item" }],
  breakdownLimit: 40
})

const retention = (turn: number) => ({
  time,
  start: { name: types },
  return: { name: types.slice(turn % 10) },
  interval: "day",
  intervals: 31,
  breakdowns: [{ source: "property", name: "platform" }],
  breakdownLimit: 4
})

/** The kinds of questions and their bodies. */
export const heavyQuestions = (turn: number): ReadonlyArray<readonly [kind: string, body: object]> => [
  ["funnels", funnel(turn)],
  ["insights", insight(turn)],
  ["insights", percentiles(turn)],
  ["retention", retention(turn)]
]

/** The smallest question that a dashboard asks: one marker's count by day. */
export const smallQuestion = { time, metrics: [{ id: "A", data: { name: types[0], type: "totalEvents" } }] }

export interface Asker {
  readonly url: string
  readonly applicationId: number
  readonly environmentId: number
  readonly cookie: string
}

/** Asks, and fails unless it is answered. */
export const askOverHttp = async (
  { url, applicationId, environmentId, cookie }: Asker,
  kind: string,
  body: object
): Promise<void> => {
  const response = await fetch(`${url}/application/${applicationId}/analytics/v1/queries/${kind}/execute`, {
    method: "POST",
    headers: { "content-type": "application/json", environment_id: String(environmentId), cookie },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(text)
}
