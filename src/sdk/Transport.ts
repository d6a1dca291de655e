import { messageOf, type Problem } from "./Problem.ts"
import { isRecord } from "./Record.ts"
import { unheld } from "./Timer.ts"

export interface TransportOptions {
  /** The server's address, such as https://play.example.com */
  readonly url: string
  /** A public key in games, a secret key on servers of a game. */
  readonly key: string
  /** The alias of the environment that everything is about: production. */
  readonly environment?: string
  /** How long an answer may take: 15,000. */
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
  | {
      readonly isReached: false
      readonly reason: string
      /** Whether no later try can do better, because an option is wrong. */
      readonly isFinal?: boolean
    }

export type Transport = (method: "GET" | "POST", path: string, call?: Call) => Promise<Reply>

/** What the JSON says; null where it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * The seconds that `Retry-After` asks for, as a number or until a date (RFC 9110, 10.2.3), which is compared with the clock of whoever answered
 * where that is told: a player's may be wrong. Null where there are none.
 */
export const retryAfterIn = (headers: Headers): number | null => {
  const asked = headers.get("retry-after")
  if (asked === null) return null
  const seconds = Number(asked)
  if (!Number.isNaN(seconds)) return Number.isFinite(seconds) && seconds >= 0 ? seconds : null
  const [until, answered] = [Date.parse(asked), Date.parse(headers.get("date") ?? "")]
  if (Number.isNaN(until)) return null
  return Math.max(0, (until - (Number.isNaN(answered) ? Date.now() : answered)) / 1000)
}

/** The server's address without a slash at its end. */
export const addressOf = ({ url }: TransportOptions): string => url.replace(/\/+$/, "")

/** The alias of the environment that everything is about. */
export const environmentOf = ({ environment }: TransportOptions): string => environment || "production"

/**
 * What says who asks, and about which environment. It is always named: without it the server takes markers into development and answers
 * configurations of production.
 */
export const headersOf = (options: TransportOptions): Readonly<Record<string, string>> => ({
  authorization: options.key,
  environment: environmentOf(options)
})

/** Sends requests, until `ended` is aborted: those that are under way are given up then, and further ones are not sent. */
export const makeTransport = (
  options: TransportOptions & { readonly timeoutMillis: number },
  ended: AbortSignal
): Transport => {
  const { timeoutMillis } = options
  const base = addressOf(options)
  const send = options.fetch ?? fetch
  // One listener ends all requests: Node warns of a leak where a signal has more than ten, and a server asks for many players at once.
  const underWay = new Set<() => void>()
  ended.addEventListener("abort", () => underWay.forEach((end) => end()))

  const ask = async (signal: AbortSignal, method: string, path: string, { body, keepalive = false }: Call) => {
    try {
      const response = await send(base + path, {
        method,
        keepalive,
        headers: {
          ...headersOf(options),
          ...(body === undefined ? {} : { "content-type": "application/json" })
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal
      })
      // The answer counts once it is there as a whole: a connection may be cut within it.
      const text = await response.text()
      return {
        isReached: true,
        status: response.status,
        body: parsed(text),
        retryAfterSeconds: retryAfterIn(response.headers)
      } satisfies Reply
    } catch (cause) {
      return { isReached: false, reason: `${base}: ${messageOf(cause)}` } satisfies Reply
    }
  }

  return (method, path, call = {}) =>
    new Promise((done) => {
      const request = new AbortController()
      const giveUp = (reason: string) => {
        done({ isReached: false, reason })
        request.abort()
      }
      if (ended.aborted) return giveUp("the client is closed")
      const onEnd = () => giveUp("the client was closed before the answer came")
      const timer = unheld(() => giveUp(`${base}: no answer within ${timeoutMillis} ms`), timeoutMillis)
      underWay.add(onEnd)
      void ask(request.signal, method, path, call).then((reply) => {
        clearTimeout(timer)
        underWay.delete(onEnd)
        done(reply)
      })
    })
}

/** Whether the server has refused for good: a later try hardly changes that. */
export const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 429 && status !== 408

/** The message of a refusal, or its status. A network that asks people to sign in answers every question with a page and status 200. */
export const messageIn = (status: number, body: unknown): string => {
  if (isRecord(body) && typeof body["message"] === "string") return body["message"]
  return status < 400 ? `status ${status}, but not the answer of a Gamekeeper server` : `status ${status}`
}

/** What is told of a reply that is no answer to what was asked. */
export const problemIn = (reply: Reply): Problem => {
  if (!reply.isReached) return { kind: reply.isFinal === true ? "invalid" : "unreachable", message: reply.reason }
  return { kind: isRefusal(reply.status) ? "refused" : "unreachable", message: messageIn(reply.status, reply.body) }
}
