import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const SdkHeatmapsHttp = HttpApiBuilder.group(Api, "sdkHeatmaps", (handlers) =>
  handlers
    .handle("list", notImplemented)
    .handle("create", notImplemented)
    .handle("update", notImplemented)
    .handle("remove", notImplemented)
    .handle("putImage", notImplemented)
)
