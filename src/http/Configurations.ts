import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const ConfigurationsHttp = HttpApiBuilder.group(Api, "configurations", (handlers) =>
  handlers
    .handle("list", notImplemented)
    .handle("create", notImplemented)
    .handle("get", notImplemented)
    .handle("replace", notImplemented)
    .handle("patch", notImplemented)
    .handle("remove", notImplemented)
    .handle("copy", notImplemented)
    .handle("makePrimary", notImplemented)
    .handle("versions", notImplemented)
    .handle("version", notImplemented)
    .handle("diff", notImplemented)
    .handle("revert", notImplemented)
)
