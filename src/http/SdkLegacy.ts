import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const SdkLegacyHttp = HttpApiBuilder.group(Api, "sdkLegacy", (handlers) =>
  handlers
    .handle("configuration", notImplemented)
    .handle("assignment", notImplemented)
    .handle("configurations", notImplemented)
    .handle("experiments", notImplemented)
    .handle("assign", notImplemented)
    .handle("reportServer", notImplemented)
    .handle("requests", notImplemented)
    .handle("startRequests", notImplemented)
    .handle("completeRequests", notImplemented)
    .handle("latestVersion", notImplemented)
)
