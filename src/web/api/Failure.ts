import { lackOfPerson } from "../../domain/access/Lacking.ts"
import { waitText } from "../text/Numbers.ts"

/** A refusal of the server, or a request that never reached it (`statusCode` 0). */
export class ApiFailure extends Error {
  readonly statusCode: number
  readonly code: string
  readonly retryAfterSeconds: number | null

  constructor(statusCode: number, code: string, message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.statusCode = statusCode
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Whether the server was not reached: an answer from before is then better than none. */
export const isOffline = (error: unknown): boolean => error instanceof ApiFailure && error.statusCode === 0

/** Whether the server has understood the request and refused it: the same request is refused again. */
export const isRefusal = (error: unknown): error is ApiFailure =>
  error instanceof ApiFailure && error.statusCode >= 400 && error.statusCode < 500 && error.statusCode !== 429

const changed: ReadonlySet<string> = new Set([
  "ALERT_CHANGED",
  "BOARD_CHANGED",
  "COHORT_CHANGED",
  "DEEPLINK_CHANGED",
  "EXPERIMENT_CHANGED",
  "QUERY_CHANGED",
  "ROLE_CHANGED",
  "WEBHOOK_CHANGED"
])

/** Whether somebody else was faster: the change was made on a state that is not the present one any more. */
export const isOutdated = (error: unknown): boolean => error instanceof ApiFailure && changed.has(error.code)

/** Whether somebody else has published another version of a configuration since. */
export const isMismatch = (error: unknown): boolean => error instanceof ApiFailure && error.code === "HASH_MISMATCH"

export const isUnauthenticated = (error: unknown): boolean => error instanceof ApiFailure && error.statusCode === 401

const textIn = (value: unknown, name: string): string | undefined => {
  if (typeof value !== "object" || value === null) return undefined
  const found: unknown = Reflect.get(value, name)
  return typeof found === "string" ? found : undefined
}

/** What a proxy, a sign-in before the server or a page about its maintenance has answered in its place. */
export const notOfServer = (statusCode: number) =>
  new ApiFailure(
    statusCode,
    "NOT_OF_SERVER",
    "Something between this browser and the server has answered in its place, such as a proxy that wants you to sign in. Load the page again."
  )

/** The server tells programs how to send a key; who looks at a page has signed in again by the time they read this. */
const sessionEnded = "Your session had ended, so that nothing was done. Try it again."

/** Statuses with which proxies say that they cannot reach the server behind them. */
const unreached: ReadonlySet<number> = new Set([502, 503, 504])

/** What is told of a refusal without words of the server: another has answered, or the server has no words for it. */
const wordless = (response: Response): string =>
  unreached.has(response.status)
    ? `The server does not answer: what stands before it, such as a proxy, said so with the status ${response.status}. It may be starting anew.`
    : response.headers.get("content-type")?.startsWith("text/html") === true
      ? `Something between this browser and the server, such as a proxy, has refused this with the status ${response.status}. Who runs the server can tell why.`
      : `The server answered ${response.status}`

/** What a refused response says, be it of this server or of a proxy before it. */
export const failureOf = async (response: Response): Promise<ApiFailure> => {
  const body: unknown = await response.json().catch(() => undefined)
  const header = Number(response.headers.get("retry-after") ?? Number.NaN)
  const seconds = Number.isFinite(header) ? header : null
  const code = textIn(body, "code") ?? "UNKNOWN"
  const message =
    code === "UNAUTHENTICATED" ? sessionEnded : lackOfPerson(textIn(body, "message") ?? wordless(response))
  return new ApiFailure(
    response.status,
    code,
    seconds === null ? message : `${message.replace(/\.$/, "")}. Try again in ${waitText(seconds)}.`,
    seconds
  )
}

/** The `meta` of a change whose failure has no place of its own on the page, such as that of a button in a row. */
export const toldInToast = { isToldInToast: true } as const
