import { HttpApiBuilder, HttpApp, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { flowMillis } from "../../domain/access/OpenId.ts"
import { Accounts } from "../../services/access/Accounts.ts"
import { Identities } from "../../services/access/Identities.ts"
import { OpenIdSignIn } from "../../services/access/OpenIdSignIn.ts"
import { cookieOf, keepSession } from "../middleware/SessionCookie.ts"
import { visitorOf } from "./Visitor.ts"

type Request = HttpServerRequest.HttpServerRequest

/** What the browser keeps between the start of a sign-in and the provider's answer. It comes back from there, so `strict` would lose it. */
const flowCookieName = "sign-in-flow"

const setFlow = (value: string, maxAge: number, isSecure: boolean) =>
  HttpApp.appendPreResponseHandler((_, response) =>
    Effect.orDie(
      HttpServerResponse.setCookie(response, flowCookieName, value, {
        httpOnly: true,
        sameSite: "lax",
        secure: isSecure,
        path: "/users/auth/oidc",
        maxAge
      })
    )
  )

const redirect = (location: string) =>
  HttpServerResponse.empty({ status: 302, headers: { location, "cache-control": "no-store" } })

/** A browser that goes to an address, rather than a program. */
const wantsPage = ({ headers }: Request): boolean => /\btext\/html\b/.test(headers["accept"] ?? "")

/** Leads a browser back to the sign-in page, which says in words what the code means. */
const orSignInPage =
  (request: Request, returnTo: string) =>
  <E extends { readonly code: string }, R>(
    answer: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
  ): Effect.Effect<HttpServerResponse.HttpServerResponse, E, R> =>
    wantsPage(request)
      ? Effect.catchAll(answer, ({ code }) => {
          const to = returnTo === "/" ? {} : { to: returnTo }
          return Effect.succeed(redirect(`/signin?${new URLSearchParams({ refused: code, ...to }).toString()}`))
        })
      : answer

const answerOf = (request: Request): URLSearchParams =>
  new URLSearchParams(request.url.split("?").slice(1).join("?").replace(/#.*$/, ""))

export const OpenIdHttp = HttpApiBuilder.group(Api, "openId", (handlers) =>
  Effect.map(Effect.all([Accounts, Identities, OpenIdSignIn]), ([accounts, identities, signIn]) => {
    const { isSecure, trustProxy } = accounts

    const start = Effect.fnUntraced(function* (returnTo: string | undefined) {
      const { location, cookie } = yield* signIn.start(returnTo)
      yield* setFlow(cookie, flowMillis, isSecure)
      return redirect(location)
    })

    const finish = Effect.fnUntraced(function* (request: Request) {
      const flow = cookieOf(request, flowCookieName)
      yield* setFlow("", 0, isSecure)
      const visitor = visitorOf(request, trustProxy)
      const session = yield* signIn.finish(answerOf(request), flow, visitor)
      yield* keepSession(session.token, session.lifetime, isSecure)
      return redirect(signIn.returnOf(flow))
    })

    return handlers
      .handle("policy", () => Effect.succeed(signIn.policy))
      .handle("start", ({ request, urlParams: { returnTo } }) =>
        orSignInPage(request, signIn.pageOf(returnTo))(start(returnTo))
      )
      .handle("callback", ({ request }) =>
        orSignInPage(request, signIn.returnOf(cookieOf(request, flowCookieName)))(finish(request))
      )
      .handle("identities", () => identities.list())
      .handle("unlink", ({ path }) => identities.unlink(path.identityId))
  })
)
