import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import type { ApplicationId, EnvironmentId, ExecutionId, QueryId } from "../../domain/Ids.ts"
import { Executions } from "../../services/analytics/Executions.ts"
import { SavedQueries } from "../../services/analytics/SavedQueries.ts"

interface Addressed {
  readonly path: { readonly applicationId: ApplicationId }
  readonly headers: { readonly environment_id: EnvironmentId }
}

interface Naming {
  readonly path: { readonly applicationId: ApplicationId; readonly queryId: QueryId }
  readonly payload: { readonly executionId: ExecutionId }
}

const where = ({ path, headers }: Addressed) => ({
  applicationId: path.applicationId,
  environmentId: headers.environment_id
})

const named = ({ path, payload }: Naming) => ({ ...path, ...payload })

export const SavedQueriesHttp = HttpApiBuilder.group(Api, "savedQueries", (handlers) =>
  Effect.map(Effect.all([SavedQueries, Executions]), ([queries, executions]) =>
    handlers
      .handle("list", ({ path, urlParams }) => queries.list(path.applicationId, urlParams))
      .handle("create", ({ path, payload }) => queries.create(path.applicationId, payload))
      .handle("get", ({ path }) => queries.get(path.applicationId, path.queryId))
      .handle("update", ({ path, payload }) => queries.update(path.applicationId, path.queryId, payload))
      .handle("remove", ({ path }) => queries.remove(path.applicationId, path.queryId))
      .handle("execute", (request) => queries.execute(where(request), request.path.queryId, request.payload))
      .handle("request", (request) => executions.request(where(request), request.path.queryId, request.payload))
      .handle("state", (request) => executions.state(named(request), request.headers.environment_id))
      .handle("cancel", (request) => executions.cancel(named(request), request.headers.environment_id))
  )
)
