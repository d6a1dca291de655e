import { Clock, Effect, Option } from "effect"
import { ReferenceInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { InsightAnswer, Metric } from "../../domain/analytics/insight/InsightPlan.ts"
import type { Answers } from "../../domain/analytics/question/Question.ts"
import { ReferenceList, type ReferringKind, rewritten } from "../../domain/analytics/question/References.ts"
import { metricsWithoutValue, withUnknownArgument } from "../../domain/analytics/filter/UnknownArgument.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { MarkerRepo } from "../../ports/analytics/MarkerRepo.ts"
import { CohortUsers } from "../cohorts/CohortUsers.ts"
import { answered } from "./QueryFailure.ts"

const missing = (what: string, id: number) =>
  Effect.fail(new ReferenceInvalid({ message: `There is no ${what} ${id} in this environment` }))

/** The cohorts and experiments that questions name. Asks for no permission: its callers do. */
export class References extends Effect.Service<References>()("services/analytics/References", {
  effect: Effect.gen(function* () {
    const cohorts = yield* CohortRepo
    const markers = yield* MarkerRepo
    const store = yield* EventStore
    const users = yield* CohortUsers

    /** Refuses a cohort, experiment or group which the environment does not have. */
    const demand = Effect.fn("References.demand")(function* (environmentId: EnvironmentId, list: ReferenceList) {
      for (const id of list.cohorts)
        if (Option.isNone(yield* cohorts.find(environmentId, id))) return yield* missing("cohort", id)
      for (const [id, named] of list.experiments) {
        const groups = yield* users.groups(environmentId, id)
        if (Option.isNone(groups)) return yield* missing("experiment", id)
        const foreign = [...named].find((group) => !groups.value.includes(group))
        if (foreign !== undefined) return yield* missing(`group of experiment ${id}:`, foreign)
      }
    })

    /** Refuses a plan that names a cohort, experiment or group which the environment does not have. */
    const check = Effect.fn("References.check")(function* <Kind extends ReferringKind>(
      environmentId: EnvironmentId,
      kind: Kind,
      plan: Answers[Kind]["plan"]
    ) {
      const list = new ReferenceList()
      rewritten[kind](plan, list.collecting)
      yield* demand(environmentId, list)
    })

    /** Refuses a metric that found nothing because none of its markers ever had the argument it measures. */
    const checkArguments = Effect.fn("References.checkArguments")(function* (
      environmentId: EnvironmentId,
      asked: ReadonlyArray<Metric>,
      answer: InsightAnswer
    ) {
      const empty = metricsWithoutValue(answer, asked)
      if (empty.length === 0) return
      const now = yield* Clock.currentTimeMillis
      const types = yield* answered(store.ask<"types">(environmentId, { kind: "types", plan: { now } }))
      const plan = { source: "argument", type: null } as const
      const names = yield* answered(store.ask<"names">(environmentId, { kind: "names", plan }))
      const { arguments: described } = yield* markers.metadata(environmentId)
      const wrong = withUnknownArgument(empty, types.answer, names.answer, described)
      if (wrong === undefined) return
      const { id, measure, selector } = wrong
      const message = `metric ${id}: no marker ${selector.types.join(", ")} has an argument ${measure.argument}`
      return yield* Effect.fail(new ReferenceInvalid({ message }))
    })

    return { check, checkArguments, demand } as const
  })
}) {}
