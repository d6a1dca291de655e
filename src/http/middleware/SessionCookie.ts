import type { HttpServerRequest } from "@effect/platform"
import { HttpApp, HttpServerResponse } from "@effect/platform"
import type { Duration } from "effect"
import { Effect, Redacted } from "effect"
import { sessionCookieName } from "../../../schema/access/Auth.ts"

/** The session cookie that the request carries. */
export const sessionCookie = (request: HttpServerRequest.HttpServerRequest): Redacted.Redacted | undefined => {
  const value = request.cookies[sessionCookieName]
  return value === undefined || value === "" ? undefined : Redacted.make(value)
}

const setCookie = (value: string, maxAge: Duration.DurationInput, isSecure: boolean) =>
  HttpApp.appendPreResponseHandler((_, response) =>
    Effect.orDie(
      HttpServerResponse.setCookie(response, sessionCookieName, value, {
        httpOnly: true,
        sameSite: "lax",
        secure: isSecure,
        path: "/",
        maxAge
      })
    )
  )

/** Has the browser keep the session's token for its lifetime. */
export const keepSession = (token: Redacted.Redacted, lifetime: Duration.Duration, isSecure: boolean) =>
  setCookie(Redacted.value(token), lifetime, isSecure)

/** Has the browser forget the session. */
export const forgetSession = (isSecure: boolean) => setCookie("", 0, isSecure)
