import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const CohortsHttp = HttpApiBuilder.group(Api, "cohorts", (handlers) =>
  handlers
    .handle("list", notImplemented)
    .handle("create", notImplemented)
    .handle("execute", notImplemented)
    .handle("get", notImplemented)
    .handle("update", notImplemented)
    .handle("remove", notImplemented)
    .handle("memberCount", notImplemented)
    .handle("members", notImplemented)
    .handle("membership", notImplemented)
    .handle("usage", notImplemented)
)
