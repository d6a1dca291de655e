import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const SdkConfigurationsHttp = HttpApiBuilder.group(Api, "sdkConfigurations", (handlers) =>
  handlers
    .handle("bootstrap", notImplemented)
    .handle("status", notImplemented)
    .handle("get", notImplemented)
    .handle("evaluate", notImplemented)
    .handle("stream", notImplemented)
)
