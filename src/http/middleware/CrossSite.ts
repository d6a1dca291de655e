import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { SiteOrigin } from "../../services/access/SiteOrigin.ts"

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** Refuses a request that a page of another site caused. */
export const refuseForeignPage = Effect.map(
  SiteOrigin,
  (siteOrigin) =>
    ({ headers }: HttpServerRequest.HttpServerRequest) =>
      siteOrigin.refuseCrossSite({
        site: headers["sec-fetch-site"],
        origin: headers["origin"],
        host: headers["host"]
      })
)

/** Refuses a cookie-authenticated write that a page of another site caused (CSRF). */
export const refuseCrossSite = Effect.map(
  refuseForeignPage,
  (refuse) => (request: HttpServerRequest.HttpServerRequest) =>
    safeMethods.has(request.method) ? Effect.void : refuse(request)
)
