import { HttpApiBuilder, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { pathOf } from "../middleware/Routes.ts"
import { cachedSuccess } from "../../services/CachedSuccess.ts"
import { answer, builtIn } from "./BuiltFiles.ts"

const base = "/docs/guide"

/** Leads to the folder of the guide, from which its links begin; relative, so that it holds behind a proxy with a path of its own. */
const toFolder = HttpServerResponse.empty({ status: 308, headers: { location: "guide/" } })

/** The guide: pages and assets that the build has written, read at the first request, because few servers are asked for them. */
export const Guide = (folder: string) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      // A list that could not be read is empty, as is that of a guide that was not built: neither is kept.
      const listed = yield* cachedSuccess(Effect.filterOrFail(builtIn(folder), ({ paths }) => paths.size > 0))
      // The router takes both addresses of the folder for the same, with its slash and without.
      const find = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const path = pathOf(request.url).slice(base.length)
        if (path === "") return toFolder
        const built = yield* Effect.catchTag(
          listed,
          "NoSuchElementException",
          () => new HttpServerError.RouteNotFound({ request })
        )
        const files = yield* built.files
        const named = path === "/" ? "/index.html" : files.has(path) ? path : `${path}.html`
        const file = files.get(named)
        return file === undefined ? yield* new HttpServerError.RouteNotFound({ request }) : answer(named, file, request)
      })
      yield* router.get(base, find)
      yield* router.get(`${base}/*`, find)
    })
  )
