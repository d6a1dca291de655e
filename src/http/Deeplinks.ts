import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const DeeplinksHttp = HttpApiBuilder.group(Api, "deeplinks", (handlers) =>
  handlers
    .handle("list", notImplemented)
    .handle("create", notImplemented)
    .handle("get", notImplemented)
    .handle("update", notImplemented)
    .handle("remove", notImplemented)
    .handle("conversions", notImplemented)
)
