import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { SavedQueries } from "../../services/analytics/SavedQueries.ts"

export const QueryStarsHttp = HttpApiBuilder.group(Api, "queryStars", (handlers) =>
  Effect.map(SavedQueries, (queries) =>
    handlers
      .handle("set", ({ path }) => queries.star(path.applicationId, path.queryId, true))
      .handle("remove", ({ path }) => queries.star(path.applicationId, path.queryId, false))
  )
)
