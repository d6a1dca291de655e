import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { CrossSiteRequest } from "../../../schema/access/AccessErrors.ts"

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

const hostOf = (origin: string): string => origin.replace(/^[a-z]+:\/\//i, "")

/**
 * Whether a browser says that another site sent this write. Browsers always send one of the two headers with a
 * cross-site write; programs that send neither carry the cookie on purpose.
 */
const isCrossSite = ({ method, headers }: HttpServerRequest.HttpServerRequest): boolean => {
  if (safeMethods.has(method)) return false
  const site = headers["sec-fetch-site"]
  if (site !== undefined && site !== "same-origin" && site !== "none") return true
  const { origin, host } = headers
  return origin !== undefined && hostOf(origin) !== host
}

/** Refuses a cookie-authenticated write that another site caused (CSRF). */
export const refuseCrossSite = (request: HttpServerRequest.HttpServerRequest) =>
  isCrossSite(request)
    ? Effect.fail(new CrossSiteRequest({ message: "A write with the session cookie must come from this site" }))
    : Effect.void
