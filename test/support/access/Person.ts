import { DateTime, Effect, Option, Redacted } from "effect"
import { BrowserRepo } from "../../../src/ports/access/BrowserRepo.ts"
import { Secrets } from "../../../src/ports/access/Secrets.ts"
import type { Answer, Call } from "../TestApp.ts"

export type Request = (method: string, path: string, call?: Call) => Promise<Answer>

export const password = "correct horse battery staple"

/** Name and value of the cookie that the answer sets; undefined where it sets none. */
export const cookieOf = (answer: Answer): string | undefined => answer.headers.getSetCookie()[0]?.split(";")[0]

export const signUp = (request: Request, email: string, name = "Ada") =>
  request("POST", "/users/auth/signup", { body: { name, email, password, motive: "curious" } })

/** Signs in, in the browser that has the cookie or in a new one. */
export const signIn = (request: Request, email: string, cookie?: string, accountHandle?: string) =>
  request("POST", "/users/auth/signin", {
    body: { email, password, ...(accountHandle === undefined ? {} : { accountHandle }) },
    ...(cookie === undefined ? {} : { headers: { cookie } })
  })

/** The cookie of a new browser in which a new person is signed in. */
export const enter = async (request: Request, email: string): Promise<string> => {
  await signUp(request, email)
  return cookieOf(await signIn(request, email)) ?? ""
}

/** The session of that handle, in the browser that has the cookie, ended a minute ago. */
export const expire = Effect.fnUntraced(function* (cookie: string, handle: string) {
  const browsers = yield* BrowserRepo
  const { hash } = yield* Secrets
  const token = Redacted.make(cookie.slice("auth-token=".length))
  const browser = Option.getOrThrow(yield* browsers.findByTokenHash(hash(token)))
  const expiresAt = DateTime.subtract(yield* DateTime.now, { minutes: 1 })
  const accounts = browser.accounts.map((each) => (each.handle === handle ? { ...each, expiresAt } : each))
  yield* browsers.update({ ...browser, accounts })
})

/** What a browser asks of its accounts. */
export const accountCalls = (request: Request) => ({
  accountsOf: async (cookie: string) => (await request("GET", "/users/auth/accounts", { headers: { cookie } })).body,
  me: (cookie: string) => request("GET", "/users/me", { headers: { cookie } }),
  signOut: (cookie: string) => request("POST", "/users/auth/signout", { headers: { cookie } }),
  switchTo: (cookie: string, handle: string) =>
    request("POST", "/users/auth/accounts/switch", { headers: { cookie }, body: { handle } }),
  remove: (cookie: string, handle: string) =>
    request("DELETE", `/users/auth/accounts/${encodeURIComponent(handle)}`, { headers: { cookie } }),

  /** The cookie of a browser in which people with those handles signed in, one after the other. */
  browserOf: async (studio: string, handles: ReadonlyArray<string>) => {
    let cookie: string | undefined
    for (const handle of handles) {
      await signUp(request, `${handle}@${studio}.test`)
      cookie = cookieOf(await signIn(request, `${handle}@${studio}.test`, cookie, handle))
    }
    return cookie ?? ""
  }
})

/** Status of each account by its handle. */
export const statusesOf = (list: { accounts: ReadonlyArray<{ handle: string; status: string }> }) =>
  Object.fromEntries(list.accounts.map(({ handle, status }) => [handle, status]))
