import { messageOf } from "./Problem.ts"

export interface TransportOptions {
  /** The server's address, such as https://play.example.com */
  readonly url: string
  /** A public key in games, a secret key on servers of a game. */
  readonly key: string
  /** The alias of the environment; without one the server decides. */
  readonly environment?: string
  readonly timeoutMillis?: number
  readonly fetch?: typeof fetch
}

export interface Call {
  readonly body?: unknown
  /** Lets the request outlive the page; its body may have 64 KiB then. */
  readonly keepalive?: boolean
}

/** An answer, or why there is none. */
export type Reply =
  | {
      readonly isReached: true
      readonly status: number
      /** The JSON of the answer; null where it is none. */
      readonly body: unknown
      readonly retryAfterSeconds: number | null
    }
  | { readonly isReached: false; readonly reason: string }

export type Transport = (method: "GET" | "POST", path: string, call?: Call) => Promise<Reply>

/** What the JSON says; null where it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The seconds of `Retry-After`; null where there are none. */
export const secondsOf = (header: string | null): number | null => {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

/** The server's address without a slash at its end. */
export const addressOf = ({ url }: TransportOptions): string => url.replace(/\/+$/, "")

/** What says who asks, and about which environment. */
export const headersOf = ({ key, environment }: TransportOptions): Readonly<Record<string, string>> => ({
  authorization: key,
  ...(environment === undefined ? {} : { environment })
})

export const makeTransport = (options: TransportOptions): Transport => {
  const { timeoutMillis = 15_000 } = options
  const base = addressOf(options)
  const send = options.fetch ?? fetch
  return async (method, path, { body, keepalive = false } = {}) => {
    try {
      const response = await send(base + path, {
        method,
        keepalive,
        headers: {
          ...headersOf(options),
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMillis)
      })
      // The answer counts once it is there as a whole: a connection may be cut within it.
      const text = await response.text()
      return {
        isReached: true,
        status: response.status,
        body: parsed(text),
        retryAfterSeconds: secondsOf(response.headers.get("retry-after"))
      }
    } catch (cause) {
      return { isReached: false, reason: messageOf(cause) }
    }
  }
}

/** Whether the server has refused for good: a later try hardly changes that. */
export const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429 && status !== 408

/** The message of a refusal, or its status. */
export const messageIn = (status: number, body: unknown): string =>
  typeof body === "object" && body !== null && "message" in body && typeof body.message === "string"
    ? body.message
    : `status ${status}`
