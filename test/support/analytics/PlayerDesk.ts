import type { Request, Studio } from "../access/Studio.ts"

export const hour = 3_600_000

/** A marker of so many milliseconds ago. */
export const marker = (eventName: string, distinctId: string, at: number, properties: object = {}) => ({
  markerId: crypto.randomUUID(),
  eventName,
  distinctId,
  sessionId: `session-of-${distinctId}`,
  timestamp: Date.now() - at,
  properties
})

/** How one studio's programmer looks at players of the development environment. */
export const desk = (request: Request, studio: Studio) => {
  const call = (method: string, path: string, headers: Record<string, string> = {}) =>
    request(method, `/application/${studio.applicationId}/players/${path}`, {
      headers: { ...studio.cookie, environment_id: String(studio.development), ...headers }
    })
  return {
    list: (query = "", headers: Record<string, string> = {}) =>
      request("GET", `/application/${studio.applicationId}/players${query}`, {
        headers: { ...studio.cookie, environment_id: String(studio.development), ...headers }
      }),
    get: (unitId: string, headers = {}) => call("GET", encodeURIComponent(unitId), headers),
    export: (unitId: string, headers = {}) => call("GET", `${encodeURIComponent(unitId)}/export`, headers),
    erase: (unitId: string, headers = {}) => call("DELETE", encodeURIComponent(unitId), headers)
  }
}
