import { HttpApiBuilder, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { isLoopback } from "../../domain/access/Loopback.ts"
import { DemoEntrance } from "../../services/demo/DemoEntrance.ts"
import { keepSession, sessionCookie } from "../middleware/SessionCookie.ts"

/** The path beneath which the demo's secret stands. */
export const entrancePath = "/demo"

/** Headers by which proxies say for whom they ask. */
const forwarding = ["x-forwarded-for", "x-real-ip", "forwarded"]

/** Whether the request comes from this machine, and no proxy asks for somebody else. */
const isLocal = (request: HttpServerRequest.HttpServerRequest): boolean => {
  const named = forwarding.flatMap((name) => (request.headers[name] ?? "").split(",")).map((each) => each.trim())
  return [Option.getOrElse(request.remoteAddress, () => "unknown"), ...named.filter((each) => each !== "")].every(
    isLoopback
  )
}

/** Signs a browser of this machine in to the demo studio, once; then, and for every other secret, it is sent to the first page as it is. */
export const DemoEntranceRoute = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const entrance = yield* DemoEntrance
    const enter = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { secret = "" } = yield* HttpRouter.params
      if (request.method !== "GET" || !isLocal(request)) return yield* new HttpServerError.RouteNotFound({ request })
      const session = yield* entrance.enter(secret, sessionCookie(request))
      if (Option.isSome(session)) yield* keepSession(session.value.token, session.value.lifetime, entrance.isSecure)
      return HttpServerResponse.empty({
        status: 303,
        headers: { location: "/", "cache-control": "no-store", "referrer-policy": "no-referrer" }
      })
    })
    yield* router.get(`${entrancePath}/:secret`, enter)
  })
)
