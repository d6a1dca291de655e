import { HttpApi, HttpApiBuilder, HttpServerRequest, HttpServerResponse, OpenApi } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { Api } from "../../schema/Api.ts"
import { cachedSuccess } from "../services/CachedSuccess.ts"

/** Some megabytes of script in a file of their own, which is loaded when it is asked for. */
const scalar = Effect.promise(() => import("@effect/platform/HttpApiScalar"))

/** What the reference may load: itself. Its scripts are named by their digests, its styles are written by them. */
const policyOf = (html: string): string => {
  const digests = [...html.matchAll(/<script(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, script = ""]) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`
  )
  return [
    "default-src 'none'",
    `script-src ${digests.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

/** The page as the platform renders it, with its security policy. */
const protectedPage = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse =>
  response.body._tag === "Uint8Array"
    ? HttpServerResponse.setHeader(
        response,
        "content-security-policy",
        policyOf(new TextDecoder().decode(response.body.body))
      )
    : response

/** The OpenAPI document and its rendered reference. Both are large and seldom asked for: made at the first request. */
export const Docs = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const api = yield* HttpApi.Api
    const document = yield* cachedSuccess(Effect.sync(() => JSON.stringify(OpenApi.fromApi(Api))))
    const reference = yield* Effect.flatMap(scalar, ({ layer }) =>
      layer({ path: "/docs", scalar: { withDefaultFonts: false } }).pipe(
        Layer.provideMerge(HttpApiBuilder.Router.Live),
        Layer.provide(Layer.succeed(HttpApi.Api, api)),
        Layer.build,
        Effect.flatMap((context) => Context.get(context, HttpApiBuilder.Router).router),
        Effect.flatten,
        // The page is the same for every request, so it is made for one of its own.
        Effect.provideService(
          HttpServerRequest.HttpServerRequest,
          HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
        ),
        Effect.map(protectedPage),
        Effect.scoped
      )
    ).pipe(cachedSuccess)
    yield* router.get(
      "/openapi.json",
      Effect.map(document, (text) => HttpServerResponse.text(text, { contentType: "application/json" }))
    )
    yield* router.get("/docs", reference)
  })
)
