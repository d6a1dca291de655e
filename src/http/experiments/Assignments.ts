import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { AssignmentImports } from "../../services/experiments/AssignmentImports.ts"
import { Assignments } from "../../services/experiments/Assignments.ts"
import { itemsOf } from "./AssignmentListBody.ts"
import { applicationWhereOf } from "../Address.ts"

export const AssignmentsHttp = HttpApiBuilder.group(Api, "assignments", (handlers) =>
  Effect.gen(function* () {
    const assignments = yield* Assignments
    const imports = yield* AssignmentImports
    return handlers
      .handle("list", (request) =>
        assignments.list(applicationWhereOf(request), request.path.experimentId, request.urlParams)
      )
      .handle("set", (request) =>
        assignments.set(applicationWhereOf(request), request.path.experimentId, request.payload)
      )
      .handle("reactivate", (request) =>
        assignments.bringBack(applicationWhereOf(request), request.path.experimentId, request.payload.distinctId)
      )
      .handle("unenroll", (request) =>
        assignments.takeOut(applicationWhereOf(request), request.path.experimentId, request.payload.distinctId)
      )
      .handle("import", (request) =>
        imports.run(applicationWhereOf(request), request.path.experimentId, itemsOf(request.request))
      )
      .handle("members", (request) =>
        assignments.members(applicationWhereOf(request), request.path.experimentId, request.urlParams)
      )
  })
)
