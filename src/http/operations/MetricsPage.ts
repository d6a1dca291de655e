import { Effect, Exit, Redacted, Runtime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Unauthenticated } from "../../../schema/access/AccessErrors.ts"
import { InternalError, MethodNotAllowed } from "../../../schema/RequestErrors.ts"
import { Metrics } from "../../services/operations/Metrics.ts"
import { Admission } from "../middleware/Admission.ts"
import { safe } from "../middleware/CrossOrigin.ts"
import { operationOf } from "../middleware/OperationNames.ts"
import { trafficOf } from "../middleware/Routes.ts"
import { answerAtSocket } from "../middleware/SocketAnswer.ts"
import { refuseAtSocket } from "../middleware/SocketRefusal.ts"

const path = "/metrics"

const withoutToken = new Unauthenticated({ message: "Show the token of --metrics-token as Authorization: Bearer" })

const failed = new InternalError({ message: "The metrics could not be read" })

const otherMethod = new MethodNotAllowed({ message: "Only GET is allowed here" })

const tokenIn = ({ headers }: IncomingMessage): Redacted.Redacted =>
  Redacted.make(/^bearer ([^\s,]+)$/i.exec(headers.authorization ?? "")?.[1] ?? "")

const isPath = (url: string): boolean => url === path || url.startsWith(`${path}?`)

/**
 * What Prometheus reads. It stands before admission, because it is needed most while the server has too much to do, and reads no store but
 * what `/ready` does. Without a token it neither answers nor counts.
 */
export class MetricsPage extends Effect.Service<MetricsPage>()("http/operations/MetricsPage", {
  effect: Effect.gen(function* () {
    const metrics = yield* Metrics
    const admission = yield* Admission
    const clock = yield* Effect.clock
    const run = Runtime.runCallback(yield* Effect.runtime())
    let requestsInFlight = 0
    metrics.follow(() => ({ requestsInFlight, requestsWaiting: admission.waiting() }))

    const note = ({ method = "GET", url = "/" }: IncomingMessage, response: ServerResponse, beganAt: bigint): void => {
      requestsInFlight -= 1
      const seconds = Number(clock.unsafeCurrentTimeNanos() - beganAt) / 1e9
      metrics.answered(
        isPath(url) ? path : operationOf(method, url),
        response.headersSent ? String(response.statusCode) : "aborted",
        trafficOf(method, url) === "stream" ? null : seconds
      )
    }

    /** Counts a request once its connection is done with it. */
    const watch = (request: IncomingMessage, response: ServerResponse): void => {
      response.once("close", () => metrics.noteAnswer(response.statusCode))
      if (!metrics.isCounted) return
      requestsInFlight += 1
      const beganAt = clock.unsafeCurrentTimeNanos()
      response.once("close", () => note(request, response, beganAt))
    }

    const show = (request: IncomingMessage, response: ServerResponse): void => {
      run(metrics.exposition, {
        onExit: Exit.match({
          onFailure: () => refuseAtSocket(request, response, failed, {}),
          onSuccess: ({ contentType, text }) => {
            const fields = { ...safe, "content-type": contentType, "cache-control": "no-store" }
            answerAtSocket(request, response, 200, fields, text)
          }
        })
      })
    }

    /** Answers whoever asks for the metrics; true where it has or will. */
    const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
      if (!metrics.isShown || !isPath(request.url ?? "/")) return false
      if (!metrics.isToken(tokenIn(request))) {
        refuseAtSocket(request, response, withoutToken, { "www-authenticate": 'Bearer realm="metrics"' })
      } else if (request.method !== "GET" && request.method !== "HEAD") {
        refuseAtSocket(request, response, otherMethod, { allow: "GET, HEAD" })
      } else show(request, response)
      return true
    }

    return { watch, answer } as const
  })
}) {}
