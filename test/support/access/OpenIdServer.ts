import { OAuth2Server } from "oauth2-mock-server"
import type { Answer, Call } from "../TestApp.ts"

type Request = (method: string, path: string, call?: Call) => Promise<Answer>

export const clientId = "gamekeeper"
export const clientSecret = "a secret of the provider/+"

type Told = Readonly<Record<string, unknown>>

/** A provider of OpenID Connect on a free port of this machine, which signs in whoever it is told. */
export const openIdServer = async () => {
  const server = new OAuth2Server()
  await server.issuer.keys.generate("RS256")
  await server.start(0, "127.0.0.1")
  const asked: Array<string> = []
  let person: Told = {}
  let page: Told = {}
  let broken: ((response: { statusCode: number; body: Record<string, unknown> | "" }) => void) | undefined

  server.service.on("beforeTokenSigning", (token: { readonly payload: Record<string, unknown> }) =>
    Object.assign(token.payload, person)
  )
  server.service.on("beforeUserinfo", (response: { body: Told }) => {
    response.body = { sub: person["sub"], ...page }
  })
  server.service.on(
    "beforeResponse",
    (
      response: { statusCode: number; body: Record<string, unknown> | "" },
      { headers }: { readonly headers: Readonly<Record<string, string | undefined>> }
    ) => {
      asked.push(headers["authorization"] ?? "")
      broken?.(response)
    }
  )

  let leadsTo: string | undefined
  server.service.on("beforeAuthorizeRedirect", (redirect: { url: URL }) => {
    if (leadsTo !== undefined) redirect.url.host = new URL(leadsTo).host
  })

  return {
    issuer: server.issuer.url ?? "",
    /** Leads browsers back to the server of that address, which does not know its own port. */
    leadsTo: (address: string) => {
      leadsTo = address
    },
    /** What clients showed to get their tokens. */
    asked,
    /** Who signs in next, as the claims of the ID token say, and what the page of user information adds. */
    is: (claims: Told, added: Told = {}) => {
      person = claims
      page = added
    },
    /** Spoils what is answered for a code from here on; undefined ends it. */
    breaks: (how?: typeof broken) => {
      broken = how
    },
    close: () => server.stop()
  }
}

/** The cookie of that name which the answer sets, as a browser sends it back; undefined where it sets none. */
export const setCookie = (answer: Answer, name: string): string | undefined =>
  answer.headers
    .getSetCookie()
    .find((each) => each.startsWith(`${name}=`))
    ?.split(";", 1)[0]

const pathOf = (address: string): string => address.replace(/^https?:\/\/[^/]+/, "")

/** Where the provider leads the browser that it has been sent. */
export const atProvider = async (location: string): Promise<string> => {
  const { headers } = await fetch(location, { redirect: "manual" })
  return pathOf(headers.get("location") ?? "")
}

export interface Begun {
  /** The cookie of the sign-in. */
  readonly flow: string
  /** The path to which the provider led back. */
  readonly callback: string
}

/** Begins to sign in, and signs in at the provider. */
export const begin = async (request: Request, returnTo?: string): Promise<Begun> => {
  const query = returnTo === undefined ? "" : `?returnTo=${encodeURIComponent(returnTo)}`
  const started = await request("GET", `/users/auth/oidc/start${query}`)
  return {
    flow: setCookie(started, "sign-in-flow") ?? "",
    callback: await atProvider(started.headers.get("location") ?? "")
  }
}

/** Comes back from the provider, in the browser with these cookies. */
export const comeBack = (request: Request, { flow, callback }: Begun, cookies = "", accept?: string) =>
  request("GET", callback, {
    headers: {
      cookie: [flow, cookies].filter((each) => each !== "").join("; "),
      ...(accept === undefined ? {} : { accept })
    }
  })

/** Signs in through the provider, in a new browser or the one with these cookies. */
export const signInThrough = async (request: Request, cookies?: string, returnTo?: string) =>
  comeBack(request, await begin(request, returnTo), cookies)

/** The session of an answer. */
export const sessionOf = (answer: Answer): string => setCookie(answer, "auth-token") ?? ""
