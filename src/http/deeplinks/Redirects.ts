import { HttpApiBuilder, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Redirects, type Visit } from "../../services/deeplinks/Redirects.ts"
import { addressOf } from "../middleware/RateLimit.ts"

const countryHeaders = ["cf-ipcountry", "cloudfront-viewer-country", "x-vercel-ip-country", "x-country-code"]

const visitOf = (request: HttpServerRequest.HttpServerRequest, address: string): Visit => ({
  address,
  userAgent: request.headers["user-agent"] ?? "",
  referrer: request.headers["referer"] ?? "",
  query: new URLSearchParams(request.url.split("?").slice(1).join("?")),
  countries: countryHeaders.map((name) => request.headers[name]),
  isProbe: request.method === "HEAD"
})

export const RedirectsHttp = HttpApiBuilder.group(Api, "redirects", (handlers) =>
  Effect.map(Redirects, (redirects) =>
    handlers.handle("follow", ({ path, request }) =>
      Effect.gen(function* () {
        const address = addressOf(request, redirects.trustProxy)
        const location = yield* redirects.follow(path.slug, visitOf(request, address))
        return HttpServerResponse.empty({ status: 302, headers: { location, "cache-control": "no-store" } })
      })
    )
  )
)
