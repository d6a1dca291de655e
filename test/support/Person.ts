import type { Answer, Call } from "./TestApp.ts"

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
