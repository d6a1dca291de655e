import type { Answer, Call } from "../TestApp.ts"
import type { Studio } from "../access/Studio.ts"
import { mintKey } from "../access/Studio.ts"

type Request = (method: string, path: string, call?: Call) => Promise<Answer>

/** What a game and an analyst do with one studio: send markers with a key, ask questions with a session. */
export const gameOf = async (request: Request, studio: Studio) => {
  const publicKey = await mintKey(request, studio, { type: "public" })
  const secretKey = await mintKey(request, studio, { permissions: ["sdk:ingest", "analytics:read"] })

  const send = (markers: unknown, headers: Record<string, string> = {}) =>
    request("POST", "/sdk/v1/markers", { headers: { authorization: publicKey, ...headers }, body: { markers } })

  const query = (kind: string, body: object, headers: Record<string, string> = {}) =>
    request("POST", `/application/${studio.applicationId}/analytics/v1/queries/${kind}`, {
      headers: { ...studio.cookie, environment_id: String(studio.development), ...headers },
      body
    })

  /** Markers of one type in an environment, ever. */
  const count = async (type: string, environmentId = studio.development): Promise<number> => {
    const time = { step: "month", timezone: "UTC", relative: { step: "year", value: 2 } }
    const metrics = [{ id: "A", data: { name: type, type: "totalEvents" } }]
    const answer = await query("insights/execute", { time, metrics }, { environment_id: String(environmentId) })
    return answer.body.series[0].aggregate
  }

  const importPath = `/application/${studio.applicationId}/analytics/v1/markers/import`
  const fill = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
    request("POST", importPath, {
      headers: {
        authorization: `Bearer ${secretKey}`,
        environment_id: String(studio.development),
        "content-type": "application/x-ndjson",
        ...headers
      },
      raw
    })

  return { publicKey, secretKey, send, query, count, fill }
}

export type Game = Awaited<ReturnType<typeof gameOf>>
