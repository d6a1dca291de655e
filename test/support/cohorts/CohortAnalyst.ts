import { pause } from "../analytics/Analyst.ts"
import type { Request, Studio } from "../access/Studio.ts"
import type { Answer } from "../TestApp.ts"

const patience = 20_000

export const lastWeek = { last: 7, unit: "day" }

/** Units with at least so many of a marker in the last week. */
export const atLeast = (value: number, marker: string) => ({
  op: "and",
  children: [{ type: "behaviour", marker, measure: "count", operator: "greaterThanOrEqual", value, window: lastWeek }]
})

/** Members of another cohort. */
export const membersOf = (cohortId: number) => ({ op: "and", children: [{ type: "cohort", cohortId }] })

/** What an analyst does with the cohorts of a studio, by its owner's session in development unless other headers are given. */
export const cohortAnalystOf = (request: Request, studio: Studio) => {
  const base = `/application/${studio.applicationId}/analytics/v1/cohorts`
  const headers = { ...studio.cookie, environment_id: String(studio.development) }
  const call = (method: string, path: string, body?: unknown, other: Record<string, string> = {}) =>
    request(method, `${base}${path}`, { headers: { ...headers, ...other }, ...(body === undefined ? {} : { body }) })

  /** The cohort once it is computed, or its computing has failed. */
  const settled = async (id: number): Promise<Answer> => {
    for (let turns = 0; turns < patience; turns++) {
      const answer = await call("GET", `/${id}`)
      if (answer.body.status !== "computing") return answer
      await pause()
    }
    throw new Error(`Cohort ${id} is still being computed`)
  }

  /** A new cohort, computed. */
  const define = async (name: string, definition: object) => {
    const created = await call("POST", "", { name, definition })
    return (await settled(created.body.id)).body
  }

  const list = async (name: string, unitIds: ReadonlyArray<string | number>) =>
    (await call("POST", "", { name, kind: "static", unitIds })).body

  const unitIds = async (id: number, query = ""): Promise<ReadonlyArray<string>> =>
    (await call("GET", `/${id}/members${query}`)).body.items.map(({ unitId }: { unitId: string }) => unitId)

  return { call, settled, define, list, unitIds }
}

export type CohortAnalyst = ReturnType<typeof cohortAnalystOf>
