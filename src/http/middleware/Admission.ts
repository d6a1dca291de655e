import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Overloaded, RateLimited } from "../../../schema/RequestErrors.ts"
import type { TrafficKind } from "../../../schema/Traffic.ts"
import { type Precedence, Shedding } from "../../domain/operations/Shedding.ts"
import type { RateStanding } from "../../domain/operations/TokenBucket.ts"
import { RequestLimits } from "../../services/operations/RequestLimits.ts"
import { hasSocket } from "../platform/RequestNotes.ts"
import { TurnQueue } from "../platform/TurnQueue.ts"
import { TurnWatch } from "../platform/TurnWatch.ts"
import { type Fields, fieldsOf, noFields, noteFields } from "./LimitFields.ts"
import { callerOf } from "./RateLimit.ts"
import { trafficOf } from "./Routes.ts"
import { refuseAtSocket } from "./SocketRefusal.ts"

const precedences: Readonly<Record<TrafficKind, Precedence | undefined>> = {
  vital: undefined,
  poll: "games",
  evaluate: "games",
  stream: "games",
  ingest: "ingest",
  link: "ingest",
  entry: "people",
  people: "people"
}

/** Seconds after which a caller may try again when the server has too much to do: those who can wait longest come back last. */
const returns: Readonly<Record<Precedence, number>> = { games: 1, ingest: 2, people: 5 }

const tooMuch = new Overloaded({ message: "The server has more to do than it can: try again in a moment" })

const tooOften = (standing: RateStanding) =>
  RateLimited.after(standing.retryAfterSeconds, "Too many requests: slow down")

/**
 * Who is let in. It stands before everything else that answers a request, so that a refusal costs next to nothing: the body is not
 * read, the credential not looked up. Where there is no socket, which is in tests, the platform's middleware asks it.
 */
export class Admission extends Effect.Service<Admission>()("http/middleware/Admission", {
  effect: Effect.gen(function* () {
    const limits = yield* RequestLimits
    const clock = yield* Effect.clock
    const now = () => clock.unsafeCurrentTimeMillis()
    const queue = new TurnQueue(now)
    const turns = new TurnWatch(now, () => queue.length)
    const shedding = new Shedding()

    const isTooMuch = (precedence: Precedence, at: number): boolean => shedding.refuses(precedence, turns.take(at), at)

    /**
     * Refuses a request that comes too often, or at a time of too much to do, and answers undefined. Otherwise answers the fields that
     * say where the caller stands.
     */
    const admit = (request: IncomingMessage, response: ServerResponse): Fields | undefined => {
      if (!limits.isOn) return noFields
      const { method = "GET", url = "/" } = request
      const kind = trafficOf(method, url)
      const precedence = precedences[kind]
      if (precedence === undefined || method === "OPTIONS") return noFields
      const at = now()
      if (isTooMuch(precedence, at)) {
        refuseAtSocket(request, response, tooMuch, { "retry-after": String(returns[precedence]) })
        return undefined
      }
      const standing = limits.take(kind, callerOf(request, limits.trustProxy), at)
      if (standing === undefined) return noFields
      const told = fieldsOf(standing)
      if (standing.retryAfterSeconds === 0) return told
      refuseAtSocket(request, response, tooOften(standing), {
        ...told,
        "retry-after": String(standing.retryAfterSeconds)
      })
      return undefined
    }

    /** Why a request that came by no socket is refused at that time, in epoch milliseconds. */
    const refusalOf = (request: HttpServerRequest.HttpServerRequest, at: number): RateLimited | undefined => {
      if (!limits.isOn || hasSocket(request)) return undefined
      const kind = trafficOf(request.method, request.url)
      const standing = limits.take(kind, callerOf(request, limits.trustProxy), at)
      if (standing === undefined) return undefined
      noteFields(request, fieldsOf(standing))
      return standing.retryAfterSeconds === 0 ? undefined : tooOften(standing)
    }

    /** Whom a request counts for where callers take turns. */
    const turnOf = (request: IncomingMessage): string => {
      const { key, address } = callerOf(request, limits.trustProxy)
      return key ?? request.headers.cookie ?? address
    }

    /**
     * Has an admitted request begin in this turn of the event loop, or in one of the next, in turn with other callers; the first vital ones
     * of a turn at once.
     * Nobody waits who has gone.
     */
    const take = (request: IncomingMessage, response: ServerResponse, begin: () => void): void => {
      const { method = "GET", url = "/" } = request
      const beginUnlessGone = () => {
        if (!response.destroyed) begin()
      }
      if (precedences[trafficOf(method, url)] === undefined) queue.addVital(turnOf(request), beginUnlessGone)
      else queue.add(turnOf(request), beginUnlessGone)
    }

    /** A connection has come. */
    const connect = (): void => queue.connect()

    /** Admitted requests that wait for their turn. */
    const waiting = (): number => queue.length

    return { admit, waiting, take, turnOf, connect, refusalOf } as const
  })
}) {}
