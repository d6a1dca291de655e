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

const secondsOf = (header: string | null): number | null => {
  const seconds = Number(header ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
}

export const makeTransport = (options: TransportOptions): Transport => {
  const { url, key, environment, timeoutMillis = 15_000 } = options
  const base = url.replace(/\/+$/, "")
  const send = options.fetch ?? fetch
  return async (method, path, { body, keepalive = false } = {}) => {
    try {
      const response = await send(base + path, {
        method,
        keepalive,
        headers: {
          authorization: key,
          ...(environment === undefined ? {} : { environment }),
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
export const isRefusal = (reply: Reply): boolean =>
  reply.isReached && reply.status >= 400 && reply.status < 500 && reply.status !== 429 && reply.status !== 408

/** The message of a refusal, or its status. */
export const messageIn = (status: number, body: unknown): string =>
  typeof body === "object" && body !== null && "message" in body && typeof body.message === "string"
    ? body.message
    : `status ${status}`
