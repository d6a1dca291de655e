import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { SavedQueryRecord } from "../../../schema/analytics/SavedQueries.ts"
import type { ApplicationId, ExecutionId, QueryId } from "../../domain/Ids.ts"
import { Executions } from "../../services/analytics/Executions.ts"
import { SavedQueries } from "../../services/analytics/SavedQueries.ts"
import { whereOf } from "../Address.ts"
import { pageAnswer } from "../ListAnswer.ts"

const answer = pageAnswer(SavedQueryRecord)

interface Naming {
  readonly path: { readonly applicationId: ApplicationId; readonly queryId: QueryId }
  readonly payload: { readonly executionId: ExecutionId }
}

const named = ({ path, payload }: Naming) => ({ ...path, ...payload })

export const SavedQueriesHttp = HttpApiBuilder.group(Api, "savedQueries", (handlers) =>
  Effect.map(Effect.all([SavedQueries, Executions]), ([queries, executions]) =>
    handlers
      .handle("list", ({ path, urlParams }) => answer(queries.list(path.applicationId, urlParams)))
      .handle("create", ({ path, payload }) => queries.create(path.applicationId, payload))
      .handle("get", ({ path }) => queries.get(path.applicationId, path.queryId))
      .handle("update", ({ path, payload }) => queries.update(path.applicationId, path.queryId, payload))
      .handle("remove", ({ path }) => queries.remove(path.applicationId, path.queryId))
      .handle("execute", (request) => queries.execute(whereOf(request), request.path.queryId, request.payload))
      .handle("request", (request) => executions.request(whereOf(request), request.path.queryId, request.payload))
      .handle("state", (request) => executions.state(named(request), request.headers.environment_id))
      .handle("cancel", (request) => executions.cancel(named(request), request.headers.environment_id))
  )
)
