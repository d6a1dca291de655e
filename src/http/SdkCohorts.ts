import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const SdkCohortsHttp = HttpApiBuilder.group(Api, "sdkCohorts", (handlers) =>
  handlers.handle("membership", notImplemented)
)
