import { endpoints } from "../Endpoints.ts"
import type { Studio } from "../access/Studio.ts"
import type { Answer, Call } from "../TestApp.ts"

type Request = (method: string, path: string, call?: Call) => Promise<Answer>

/** Fills what a path names with the studio's own ids; what a studio has none of becomes an id that exists nowhere. */
export const pathIn = (path: string, ids: Readonly<Record<string, string | number>>): string =>
  path.replace(/:([A-Za-z]+)/g, (_, name: string) =>
    String(
      ids[name] ??
        (/^(board|heatmap|deeplink|query|execution|user|webhook|alert)Id$/.test(name)
          ? "00000000-0000-4000-8000-000000000000"
          : 987_654)
    )
  )

const volatile = new Set(["lastUsedAt", "asOf", "elapsedMs"])

/** All that the owner of a studio can read of it through the API, without what reading itself changes. */
export const snapshot = async (request: Request, studio: Studio): Promise<string> => {
  const { organizationId, applicationId } = studio
  const reads = endpoints().filter(
    ({ method, path, kinds }) =>
      method === "GET" && kinds.includes("session") && !/:(?!organizationId|applicationId)/.test(path)
  )
  const answers: Array<unknown> = []
  for (const { path, name } of reads) {
    const headers = { ...studio.cookie, environment_id: String(studio.production) }
    const { status, body } = await request("GET", pathIn(path, { organizationId, applicationId }), { headers })
    answers.push([name, status, body])
  }
  return JSON.stringify(answers, (key, value: unknown) => (volatile.has(key) ? undefined : value))
}
