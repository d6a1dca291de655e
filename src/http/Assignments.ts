import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const AssignmentsHttp = HttpApiBuilder.group(Api, "assignments", (handlers) =>
  handlers
    .handle("list", notImplemented)
    .handle("set", notImplemented)
    .handle("reactivate", notImplemented)
    .handle("unenroll", notImplemented)
    .handle("import", notImplemented)
    .handle("members", notImplemented)
)
