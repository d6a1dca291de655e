import type { HttpServerRequest } from "@effect/platform"
import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Accounts } from "../../services/access/Accounts.ts"
import { RateLimiter } from "../../services/access/RateLimiter.ts"
import { refuseCrossSite } from "../middleware/CrossSite.ts"
import { addressOf, rateLimit } from "../middleware/RateLimit.ts"
import { forgetSession, keepSession, sessionCookie } from "../middleware/SessionCookie.ts"

/** Each of sign-up and sign-in costs a slow hash: so many a minute from one address. */
const entering = { limit: 120, windowMs: 60_000 }

export const AccountsHttp = HttpApiBuilder.group(Api, "accounts", (handlers) =>
  Effect.map(Effect.all([Accounts, RateLimiter, refuseCrossSite]), ([accounts, limiter, refuse]) => {
    const forgetWhenEmpty = ({ accounts: remaining }: { readonly accounts: ReadonlyArray<unknown> }) =>
      remaining.length === 0 ? forgetSession(accounts.isSecure) : Effect.void

    const limited = (route: string, request: HttpServerRequest.HttpServerRequest) =>
      rateLimit(limiter, route, entering, addressOf(request, accounts.trustProxy))

    return handlers
      .handle("signUp", ({ payload, request }) =>
        Effect.zipRight(limited("sign-up", request), accounts.signUp(payload))
      )
      .handle("signIn", ({ payload, request }) =>
        Effect.gen(function* () {
          yield* refuse(request)
          yield* limited("sign-in", request)
          const visitor = { cookie: sessionCookie(request), address: addressOf(request, accounts.trustProxy) }
          const { signedIn, session } = yield* accounts.signIn(payload, visitor)
          yield* keepSession(session.token, session.lifetime, accounts.isSecure)
          return signedIn
        })
      )
      .handle("signOut", ({ request }) =>
        accounts.signOut(sessionCookie(request)).pipe(Effect.tap(forgetWhenEmpty), Effect.as("" as const))
      )
      .handle("list", ({ request }) => accounts.list(sessionCookie(request)))
      .handle("switch", ({ payload, request }) => accounts.switchTo(sessionCookie(request), payload.handle))
      .handle("remove", ({ path, request }) =>
        Effect.tap(accounts.remove(sessionCookie(request), path.handle), forgetWhenEmpty)
      )
  })
)
