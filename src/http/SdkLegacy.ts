import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../schema/Api.ts"
import { SdkLegacy } from "../services/SdkLegacy.ts"
import { notImplemented } from "./NotImplemented.ts"

export const SdkLegacyHttp = HttpApiBuilder.group(Api, "sdkLegacy", (handlers) =>
  Effect.map(SdkLegacy, (legacy) =>
    handlers
      .handle("configuration", ({ headers, path, urlParams }) =>
        legacy.configuration({ version: 2, headers }, path.name, urlParams.distinctId)
      )
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
)
