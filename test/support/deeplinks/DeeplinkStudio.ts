import type { Request } from "../access/Studio.ts"
import { openStudio } from "../access/Studio.ts"

export const target = "https://studio.example/play"

/** The least that makes a deeplink, but for its slug. */
export const basis = { name: "Summer", type: "web_url", redirectUrl: target }

/** The user agent of a phone. */
export const phone = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Mobile/15E148 Safari/604.1"

/** A studio, what its owner does with deeplinks, and clicks on them by a phone. Slugs begin with `label`. */
export const deeplinkStudioOf = async (request: Request, label: string) => {
  const studio = await openStudio(request, `ada-${label}`)
  const home = `/application/${studio.applicationId}/deeplinks`
  let count = 0
  const call = (method: string, path = "", body?: unknown, headers: Record<string, string> = studio.cookie) =>
    request(method, `${home}${path}`, body === undefined ? { headers } : { headers, body })
  const define = async (more: object = {}) =>
    (await call("POST", "", { ...basis, slug: `${label}-${++count}`, ...more })).body
  const click = (slug: string, headers: Record<string, string> = {}, query = "") =>
    request("GET", `/d/${slug}${query}`, { headers: { "user-agent": phone, ...headers } })
  const conversions = async (id: string, query = "") => (await call("GET", `/${id}/conversions${query}`)).body
  return { studio, home, call, define, click, conversions }
}

export type DeeplinkStudio = Awaited<ReturnType<typeof deeplinkStudioOf>>
