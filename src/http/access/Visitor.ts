import type { HttpServerRequest } from "@effect/platform"
import { browserNameOf } from "../../domain/access/BrowserName.ts"
import type { Visitor } from "../../services/access/Accounts.ts"
import { addressOf } from "../middleware/RateLimit.ts"
import { sessionCookie } from "../middleware/SessionCookie.ts"

/** Who signs in, by what the request says. */
export const visitorOf = (request: HttpServerRequest.HttpServerRequest, trustProxy: boolean): Visitor => ({
  cookie: sessionCookie(request),
  address: addressOf(request, trustProxy),
  browser: browserNameOf(request.headers["user-agent"])
})
