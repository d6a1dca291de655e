import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { CohortRecord } from "../../../schema/cohorts/Cohorts.ts"
import { Cohorts } from "../../services/cohorts/Cohorts.ts"
import { CohortUsages } from "../../services/cohorts/CohortUsages.ts"
import { whereOf } from "../Address.ts"
import { listAnswer } from "../ListAnswer.ts"

const answer = listAnswer(CohortRecord)

export const CohortsHttp = HttpApiBuilder.group(Api, "cohorts", (handlers) =>
  Effect.map(Effect.all([Cohorts, CohortUsages]), ([cohorts, usages]) =>
    handlers
      .handle("list", (request) => answer(cohorts.list(whereOf(request))))
      .handle("usages", (request) => usages.every(whereOf(request)))
      .handle("create", (request) => cohorts.create(whereOf(request), request.payload))
      .handle("execute", (request) => cohorts.execute(whereOf(request), request.payload))
      .handle("get", (request) => cohorts.get(whereOf(request), request.path.cohortId))
      .handle("update", (request) => cohorts.update(whereOf(request), request.path.cohortId, request.payload))
      .handle("remove", (request) => cohorts.remove(whereOf(request), request.path.cohortId))
      .handle("memberCount", (request) =>
        cohorts.memberCount(whereOf(request), request.path.cohortId, request.urlParams)
      )
      .handle("members", (request) => cohorts.members(whereOf(request), request.path.cohortId, request.urlParams))
      .handle("membership", (request) => cohorts.membership(whereOf(request), request.path.cohortId, request.urlParams))
      .handle("usage", (request) => usages.of(whereOf(request), request.path.cohortId))
  )
)
