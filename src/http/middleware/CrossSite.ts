import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { SiteOrigin } from "../../services/access/SiteOrigin.ts"

const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"])

/** Refuses a cookie-authenticated write that a page of another site caused (CSRF). */
export const refuseCrossSite = Effect.map(
  SiteOrigin,
  (siteOrigin) =>
    ({ method, headers }: HttpServerRequest.HttpServerRequest) =>
      safeMethods.has(method)
        ? Effect.void
        : siteOrigin.refuseCrossSite({
            site: headers["sec-fetch-site"],
            origin: headers["origin"],
            host: headers["host"]
          })
)
