import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Accounts } from "../../services/access/Accounts.ts"
import { refuseCrossSite } from "../middleware/CrossSite.ts"
import { forgetSession, keepSession, sessionCookie } from "../middleware/SessionCookie.ts"
import { visitorOf } from "./Visitor.ts"

export const AccountsHttp = HttpApiBuilder.group(Api, "accounts", (handlers) =>
  Effect.map(Effect.all([Accounts, refuseCrossSite]), ([accounts, refuse]) => {
    const forgetWhenEmpty = ({ accounts: remaining }: { readonly accounts: ReadonlyArray<unknown> }) =>
      remaining.length === 0 ? forgetSession(accounts.isSecure) : Effect.void

    return handlers
      .handle("signUp", ({ payload }) => accounts.signUp(payload))
      .handle("signUpPolicy", () => accounts.signUpPolicy)
      .handle("signIn", ({ payload, request }) =>
        Effect.gen(function* () {
          yield* refuse(request)
          const visitor = visitorOf(request, accounts.trustProxy)
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
