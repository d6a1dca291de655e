import { isPathSegment } from "../../domain/PathSegment.ts"
import type { BodyOf, Called, PathOf } from "./Endpoints.ts"
import { endpoints } from "./Endpoints.ts"
import { tryConnection } from "./Connection.ts"
import { ApiFailure, failureOf, notOfServer } from "./Failure.ts"
import { sendOnce } from "./OnceSent.ts"
import { factorDemand, sessionEnd } from "./Refusal.ts"
import { lackedFor } from "./Rights.ts"
import type { Answer } from "./Wire.ts"

export interface Request<N extends Called> {
  readonly path: PathOf<N>
  readonly body: BodyOf<N>
  readonly query?: Readonly<Record<string, string | number | ReadonlyArray<string> | undefined>>
  readonly environment?: number
  readonly signal?: AbortSignal
}

export type Optional<T> = { [K in keyof T as undefined extends T[K] ? K : {} extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as undefined extends T[K] ? never : {} extends T[K] ? never : K]: T[K]
}

type Path = Readonly<Record<string, string | number>>

const filledIn = (template: string, path: Path): string =>
  template.replaceAll(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(path[name] ?? ""))

/** The browser would ask for another path. */
const unaddressable = (id: string) =>
  new ApiFailure(400, "NOT_ADDRESSABLE", `No address can hold the id ${id}: browsers take it for a step in a path`)

const misread = (path: Path): string | undefined =>
  Object.values(path)
    .map(String)
    .find((each) => !isPathSegment(each))

const searchOf = (query: Request<Called>["query"]): string => {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (typeof value === "object") for (const each of value) given.append(name, each)
    else if (value !== undefined && value !== "") given.set(name, String(value))
  }
  return given.size === 0 ? "" : `?${given.toString()}`
}

const unreachable = "The server cannot be reached."
const offline = new ApiFailure(0, "OFFLINE", unreachable)

/** The connection may have been lost on the way back. */
const maybeDone = () => new ApiFailure(0, "OFFLINE", `${unreachable} Look whether it was done before you try again.`)

/** What the server would say to a question that this person may not ask, under a code of its own: it was not asked. */
const refusal = (permission: string) => new ApiFailure(403, "NOT_ASKED", `It needs the permission ${permission}`)

/** How often a change is sent again that the server refused for having too much to do, and after how many seconds where it does not say. */
const attempts = 5
const usualPause = 2

/** Whether nothing was done because the server had too much to do just then. Questions are asked again by whoever asks them. */
const isPassing = (failure: ApiFailure, signal: AbortSignal | undefined): boolean =>
  failure.code === "OVERLOADED" && signal === undefined

const pause = (seconds: number) =>
  new Promise<void>((resume) => {
    setTimeout(resume, seconds * 1000)
  })

/** Whether it changes something: questions are sent with a signal. */
const isChange = (name: Called, signal: AbortSignal | undefined): boolean =>
  signal === undefined && !endpoints[name].startsWith("GET ")

/** The text of an answer, for a request whose body is JSON or a file. */
export const textOf = async <N extends Called>(
  name: N,
  request: Optional<Request<N>>,
  file?: Blob,
  attempt = 1
): Promise<string> => {
  const { path, body, query, environment, signal }: Partial<Request<Called>> = request
  const [method = "GET", template = ""] = endpoints[name].split(" ")
  const lost = misread(path ?? {})
  if (lost !== undefined) return Promise.reject(unaddressable(lost))
  const lacked = lackedFor(name, path ?? {})
  if (lacked !== null) return Promise.reject(refusal(lacked))
  const headers: Record<string, string> = { accept: "application/json" }
  if (body !== undefined) headers["content-type"] = "application/json"
  if (file !== undefined) headers["content-type"] = "application/octet-stream"
  if (environment !== undefined) headers["environment-id"] = String(environment)
  const unreached = (error: unknown) => {
    if (signal?.aborted === true) return Promise.reject(error)
    tryConnection()
    return Promise.reject(isChange(name, signal) ? maybeDone() : offline)
  }
  const onEnd = sessionEnd.sending()
  const onDemand = factorDemand.sending()
  const response = await fetch(filledIn(template, path ?? {}) + searchOf(query), {
    method,
    headers,
    credentials: "same-origin",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(file === undefined ? {} : { body: file }),
    ...(signal === undefined ? {} : { signal })
  }).catch(unreached)
  if (!response.ok) {
    const failure = await failureOf(response)
    if (failure.code === "UNAUTHENTICATED") onEnd()
    if (failure.code === "SECOND_FACTOR_DEMANDED") onDemand()
    if (isPassing(failure, signal) && attempt < attempts) {
      await pause(failure.retryAfterSeconds ?? usualPause)
      return textOf(name, request, file, attempt + 1)
    }
    return Promise.reject(failure)
  }
  const isPage = response.headers.get("content-type")?.startsWith("text/html") ?? false
  if (isPage) return Promise.reject(notOfServer(response.status))
  // A server that goes away in the middle of an answer is as far as one that never began it.
  return response.text().catch(unreached)
}

/** Calls an endpoint with the cookie of this browser. Rejects with an `ApiFailure`; an aborted call rejects as `fetch` does. */
export const call = async <N extends Called>(name: N, request: Optional<Request<N>>): Promise<Answer<N>> => {
  const send = () => textOf(name, request)
  const text = await (isChange(name, request.signal) ? sendOnce(JSON.stringify([name, request]), send) : send())
  return text === "" ? JSON.parse("null") : JSON.parse(text)
}
