import type { HttpServerRequest } from "@effect/platform"
import { Cookies, HttpApp, HttpServerResponse } from "@effect/platform"
import type { Duration } from "effect"
import { Effect, Redacted } from "effect"
import { sessionCookieName } from "../../../schema/access/Auth.ts"

/** The value of a cookie in the header of that name, as the platform reads it; undefined where it is not there. */
export const cookieIn = (header: string, name: string): string | undefined => {
  let end = 0
  for (let at = header.indexOf(name); at !== -1; at = header.indexOf(name, end)) {
    const start = header.lastIndexOf(";", at) + 1
    end = header.indexOf(";", at)
    if (end === -1) end = header.length
    const value = Cookies.parseHeader(header.slice(start, end))[name]
    if (value !== undefined) return value
  }
  return undefined
}

/**
 * The value of a cookie of the request. Only the first of its name is read: anybody may send a thousand others, which take longer to read
 * than everything else of a request.
 */
export const cookieOf = ({ headers }: HttpServerRequest.HttpServerRequest, name: string): string | undefined =>
  cookieIn(headers["cookie"] ?? "", name)

/** The session cookie that the request carries. */
export const sessionCookie = (request: HttpServerRequest.HttpServerRequest): Redacted.Redacted | undefined => {
  const value = cookieOf(request, sessionCookieName)
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
