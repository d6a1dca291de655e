import { HttpApiBuilder, HttpServerError, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { pathOf, routesOf } from "../middleware/Routes.ts"
import { answer, filesIn } from "./BuiltFiles.ts"

const isNavigation = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /\btext\/html\b/.test(headers["accept"] ?? "")

/**
 * The dashboard: its assets, and its page at every path that no endpoint answers, where a browser navigates to it. Everything else is
 * refused as if the dashboard were not there.
 */
export const Web = (folder: string) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const files = yield* filesIn(folder)
      const page = files.get("/index.html")
      const find = (
        request: HttpServerRequest.HttpServerRequest
      ): Option.Option<HttpServerResponse.HttpServerResponse> => {
        if (page === undefined || routesOf(request.url).length > 0) return Option.none()
        const path = pathOf(request.url)
        const named = path === "/favicon.ico" ? "/favicon.svg" : path
        const file = named === "/index.html" ? undefined : files.get(named)
        if (file !== undefined) return Option.some(answer(named, file, request))
        if (path.startsWith("/assets/") || !isNavigation(request)) return Option.none()
        return Option.some(answer("/", page, request))
      }
      yield* router.get(
        "*",
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          Option.match(find(request), {
            onNone: () => Effect.fail(new HttpServerError.RouteNotFound({ request })),
            onSome: Effect.succeed
          })
        )
      )
    })
  )
