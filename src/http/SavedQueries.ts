import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const SavedQueriesHttp = HttpApiBuilder.group(Api, "savedQueries", (handlers) =>
  handlers
    .handle("list", notImplemented)
    .handle("create", notImplemented)
    .handle("get", notImplemented)
    .handle("update", notImplemented)
    .handle("remove", notImplemented)
    .handle("execute", notImplemented)
    .handle("request", notImplemented)
    .handle("state", notImplemented)
    .handle("cancel", notImplemented)
)
