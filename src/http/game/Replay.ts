import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Changes } from "../../services/configuration/Changes.ts"
import type { Standing } from "../../services/game/Freshness.ts"
import { Freshness } from "../../services/game/Freshness.ts"

/** An answer as it went out. */
interface Said {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array | null
  readonly mark: number
  readonly standing: Standing
}

interface Asked {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
}

/** Answers kept at most; one more and it starts anew. */
const capacity = 10_000

/** All that the answer of a poll depends on; undefined for what is no poll, or has to be read in full to be refused. */
const questionOf = ({ method, url, headers }: Asked): string | undefined => {
  if (method !== "GET" || url === undefined || !url.startsWith("/sdk/v2/")) return undefined
  if (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0) return undefined
  const { authorization, environment, isstudio } = headers
  if (authorization === undefined || (headers["server-id"]?.length ?? 0) > 128) return undefined
  return `${url}\n${authorization}\n${environment}\n${isstudio}\n${headers["project-id"]}\n${headers["if-none-match"]}`
}

/**
 * Gives the answer to a poll again, before anything else looks at the request, while nothing that it rests on has changed: the key
 * and its rights, the project and its environments, what is delivered, and the time. The first answer took the whole way.
 */
export class Replay extends Effect.Service<Replay>()("http/game/Replay", {
  scoped: Effect.gen(function* () {
    const freshness = yield* Freshness
    const changes = yield* Changes
    const said = new Map<string, Said>()
    const standings = new WeakMap<object, Standing>()
    yield* changes.listen(() => said.clear())

    /** The answer to this request may be given again for as long as it stands. */
    const allow = (request: HttpServerRequest.HttpServerRequest, standing: Standing): void => {
      standings.set(NodeHttpServerRequest.toIncomingMessage(request), standing)
    }

    /** Keeps an answer that is allowed, with the mark that was taken before the request was looked at. */
    const keep = (
      request: HttpServerRequest.HttpServerRequest,
      { status, headers, body }: HttpServerResponse.HttpServerResponse,
      mark: number
    ): void => {
      const standing = standings.get(NodeHttpServerRequest.toIncomingMessage(request))
      const question = standing === undefined ? undefined : questionOf(request)
      if (standing === undefined || question === undefined) return
      if (body._tag !== "Uint8Array" && body._tag !== "Empty") return
      if (said.size >= capacity) said.clear()
      said.set(question, { status, headers, bytes: body._tag === "Empty" ? null : body.body, mark, standing })
    }

    /** Answers a request if it can. */
    const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
      const question = questionOf(request)
      const known = question === undefined ? undefined : said.get(question)
      if (question === undefined || known === undefined) return false
      if (!freshness.holds(known.mark, known.standing)) {
        said.delete(question)
        return false
      }
      response.writeHead(known.status, known.headers)
      response.end(known.bytes ?? undefined)
      return true
    }

    return { mark: freshness.mark, allow, keep, answer } as const
  })
}) {}
