import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const SdkExperimentsHttp = HttpApiBuilder.group(Api, "sdkExperiments", (handlers) =>
  handlers.handle("active", notImplemented).handle("assign", notImplemented)
)
