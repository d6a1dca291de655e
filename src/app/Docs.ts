import { HttpApi, HttpApiBuilder, HttpServerResponse, OpenApi } from "@effect/platform"
import { Context, Effect, Layer } from "effect"
import { Api } from "../../schema/Api.ts"

/** Some megabytes of script, which stay outside the bundle and are loaded when they are asked for. */
const scalar = Effect.promise(() =>
  Promise.all([import("@effect/platform/HttpApiBuilder"), import("@effect/platform/HttpApiScalar")])
)

/** The OpenAPI document and its rendered reference. Both are large and seldom asked for: made at the first request. */
export const Docs = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const api = yield* HttpApi.Api
    const document = yield* Effect.cached(Effect.sync(() => JSON.stringify(OpenApi.fromApi(Api))))
    const reference = yield* Effect.flatMap(scalar, ([{ Router }, { layer }]) =>
      layer({ path: "/docs" }).pipe(
        Layer.provideMerge(Router.Live),
        Layer.provide(Layer.succeed(HttpApi.Api, api)),
        Layer.build,
        Effect.flatMap((context) => Context.get(context, Router).router),
        Effect.scoped
      )
    ).pipe(Effect.cached)
    yield* router.get(
      "/openapi.json",
      Effect.map(document, (text) => HttpServerResponse.text(text, { contentType: "application/json" }))
    )
    yield* router.get("/docs", Effect.flatten(reference))
  })
)
