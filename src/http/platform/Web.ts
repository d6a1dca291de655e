import { HttpApiBuilder, HttpServerError, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { pathOf, routesOf } from "../middleware/Routes.ts"
import { answer, builtIn } from "./BuiltFiles.ts"

const page = "/index.html"

const isNavigation = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  /\btext\/html\b/.test(headers["accept"] ?? "")

/**
 * The dashboard: its assets, and its page at every path that no endpoint answers, where a browser navigates to it. Everything else is
 * refused as if the dashboard were not there. All files are read at the first request, so that a start does not wait for them, and kept, so
 * that the pages that a browser has open find their scripts while another build takes the place of this one.
 */
export const Web = (folder: string) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const { paths, files } = yield* builtIn(folder)
      const find = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const refusal = new HttpServerError.RouteNotFound({ request })
        if (routesOf(request.url).length > 0) return yield* refusal
        const path = pathOf(request.url)
        const named = path === "/favicon.ico" ? "/favicon.svg" : path
        const isFile = named !== page && paths.has(named)
        if (!isFile && (path.startsWith("/assets/") || !isNavigation(request))) return yield* refusal
        const file = (yield* files).get(isFile ? named : page)
        return file === undefined ? yield* refusal : answer(isFile ? named : "/", file, request)
      })
      yield* router.get("*", find)
    })
  )
