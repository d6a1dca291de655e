import { Effect, Exit, Runtime } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Health, Version } from "../../../schema/operations/System.ts"
import { InternalError } from "../../../schema/RequestErrors.ts"
import { System } from "../../services/operations/System.ts"
import { unkept } from "../middleware/CrossOrigin.ts"
import { RequestTraces } from "../middleware/RequestTraces.ts"
import { beforeQuery } from "../middleware/Routes.ts"
import { answerAtSocket, hasBody } from "../middleware/SocketAnswer.ts"
import { refuseAtSocket } from "../middleware/SocketRefusal.ts"

const failed = new InternalError({ message: "Something went wrong" })

export const alive: typeof Health.Type = { status: "ok" }

/** Whether nothing of a request but its path matters. */
const isBare = ({ method, url = "/", headers }: IncomingMessage): boolean =>
  method === "GET" && !hasBody(headers) && !url.includes("%00")

/**
 * Answers whoever asks whether the server lives, is ready, and what it is, as the platform would, at a tenth of its cost: a load balancer
 * waits for everybody who asks at the same time, and anybody may. What is unusual is left to the platform.
 */
export class VitalAnswers extends Effect.Service<VitalAnswers>()("http/operations/VitalAnswers", {
  effect: Effect.gen(function* () {
    const system = yield* System
    const traces = yield* RequestTraces
    const run = Runtime.runCallback(yield* Effect.runtime())
    const version: typeof Version.Type = { ...system.version, name: "gamekeeper" }
    const texts: Readonly<Record<string, string | undefined>> = {
      "/health": JSON.stringify(alive),
      "/version": JSON.stringify(version)
    }

    const fields = { ...unkept, "content-type": "application/json" }

    const send = (request: IncomingMessage, response: ServerResponse, status: number, json: string): void =>
      answerAtSocket(request, response, status, fields, json)

    const sendReadiness = (request: IncomingMessage, response: ServerResponse): void => {
      run(traces.answering(request, system.readiness), {
        onExit: Exit.match({
          onFailure: () => refuseAtSocket(request, response, failed, {}),
          onSuccess: (readiness) =>
            send(request, response, readiness.status === "unavailable" ? 503 : 200, JSON.stringify(readiness))
        })
      })
    }

    /** Answers a request if it asks for one of these; true where it has or will. */
    const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
      if (!isBare(request)) return false
      const path = beforeQuery(request.url ?? "/")
      const text = texts[path]
      if (text !== undefined) send(request, response, 200, text)
      else if (path === "/ready") sendReadiness(request, response)
      else return false
      return true
    }

    return { answer } as const
  })
}) {}
