import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { AssignmentImports } from "../../services/experiments/AssignmentImports.ts"
import { Assignments } from "../../services/experiments/Assignments.ts"
import { placeOf } from "./Experiments.ts"
import { itemsOf } from "./AssignmentListBody.ts"

export const AssignmentsHttp = HttpApiBuilder.group(Api, "assignments", (handlers) =>
  Effect.gen(function* () {
    const assignments = yield* Assignments
    const imports = yield* AssignmentImports
    return handlers
      .handle("list", (request) => assignments.list(placeOf(request), request.path.experimentId, request.urlParams))
      .handle("set", (request) => assignments.set(placeOf(request), request.path.experimentId, request.payload))
      .handle("reactivate", (request) =>
        assignments.bringBack(placeOf(request), request.path.experimentId, request.payload.distinctId)
      )
      .handle("unenroll", (request) =>
        assignments.takeOut(placeOf(request), request.path.experimentId, request.payload.distinctId)
      )
      .handle("import", (request) => imports.run(placeOf(request), request.path.experimentId, itemsOf(request.request)))
      .handle("members", (request) =>
        assignments.members(placeOf(request), request.path.experimentId, request.urlParams)
      )
  })
)
