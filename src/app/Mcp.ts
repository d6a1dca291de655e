import type { HttpApi, HttpRouter } from "@effect/platform"
import { HttpApiBuilder, HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Redacted } from "effect"
import { CredentialNotAccepted } from "../../schema/access/AccessErrors.ts"
import { MalformedRequest } from "../../schema/RequestErrors.ts"
import { refuseForeignPage } from "../http/middleware/CrossSite.ts"
import { jsonBody } from "../http/platform/Body.ts"
import { usualBody } from "../../schema/BodyLimit.ts"
import { Settings } from "../ports/operations/Settings.ts"
import { presentedIn } from "../domain/access/Token.ts"
import { Credentials } from "../services/access/Credentials.ts"
import { cachedSuccess } from "../services/CachedSuccess.ts"
import { version } from "../services/operations/System.ts"

/** The protocol lies in a file of its own, which is loaded when it is first spoken. */
const protocol = Effect.promise(() => import("../mcp/Streamable.ts"))

const publicKey = new CredentialNotAccepted({
  message: "Tools accept a personal access token or a secret server key as Authorization: Bearer"
})

const severalMessages = new MalformedRequest({ message: "Send one message in a request" })

/**
 * Tools for assistants (MCP, streamable HTTP). Each call of a tool is a request to the API of this process, with the caller's token:
 * what the token may not do is refused there.
 */
export const Mcp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const credentials = yield* Credentials
    const refuse = yield* refuseForeignPage
    const { publicUrl } = yield* Settings
    const context = yield* Effect.context<
      HttpApi.Api | HttpApiBuilder.Router | HttpApiBuilder.Middleware | HttpRouter.HttpRouter.DefaultServices
    >()
    const api = yield* cachedSuccess(
      Effect.provide(
        Effect.map(
          Effect.all([HttpApiBuilder.httpApp, Effect.runtime<HttpRouter.HttpRouter.DefaultServices>()]),
          ([app, runtime]) => HttpApp.toWebHandlerRuntime(runtime)(app)
        ),
        context
      )
    )
    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* refuse(request)
      const { authorization } = request.headers
      if (authorization === undefined) return yield* credentials.missing
      const token = Redacted.make(presentedIn(authorization))
      const { kind } = yield* credentials.fromKey(token)
      if (kind === "public") return yield* Effect.fail(publicKey)
      const message = yield* jsonBody(request, usualBody)
      if (Array.isArray(message)) return yield* Effect.fail(severalMessages)
      const send = yield* api
      const { answered } = yield* protocol
      const web = new Request(new URL(request.url, "http://localhost"), { method: "POST", headers: request.headers })
      const way = { send: (each: Request) => send(each), url: "http://localhost", pages: publicUrl, token }
      return HttpServerResponse.fromWeb(yield* Effect.promise((signal) => answered(web, message, way, version, signal)))
    })
    yield* router.post("/mcp", answer)
  })
).pipe(Layer.provide([HttpApiBuilder.Router.Live, HttpApiBuilder.Middleware.layer]))
