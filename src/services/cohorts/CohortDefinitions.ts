import { Clock, Effect, Either, Option, Schema } from "effect"
import { QueryInvalid, ReferenceInvalid, TimeRangeInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import { CohortCycle } from "../../../schema/cohorts/CohortErrors.ts"
import { CohortDefinition } from "../../../schema/cohorts/CohortDefinition.ts"
import { type Checked, type QueryProblem, together } from "../../domain/analytics/question/QueryProblem.ts"
import { cohortCycle, cohortReferences } from "../../domain/cohorts/CohortReferences.ts"
import { demandNoIdleArgument } from "../../domain/cohorts/IdleArguments.ts"
import { demandFewFilters } from "../../domain/cohorts/CohortSize.ts"
import { planCohort } from "../../domain/cohorts/PlanCohort.ts"
import type { CohortId, EnvironmentId } from "../../domain/Ids.ts"
import { ProjectRepo } from "../../ports/access/ProjectRepo.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { References } from "../analytics/References.ts"

const Text = Schema.parseJson(CohortDefinition)

// Compiled when the first cohort is read or written: of all that a start compiles this was the half.
const decode = (text: string) => Schema.decode(Text)(text)
const encode = (definition: CohortDefinition) => Schema.encode(Text)(definition)

const refusal = ({ kind, message }: QueryProblem) => {
  switch (kind) {
    case "reference":
      return new ReferenceInvalid({ message })
    case "timeRange":
      return new TimeRangeInvalid({ message })
    default:
      return new QueryInvalid({ message })
  }
}

/** Definitions of cohorts: as text in the store, checked against what else is there, and as plans. Asks for no permission. */
export class CohortDefinitions extends Effect.Service<CohortDefinitions>()("services/cohorts/CohortDefinitions", {
  effect: Effect.gen(function* () {
    const cohorts = yield* CohortRepo
    const references = yield* References
    const projects = yield* ProjectRepo

    /** The zone of the environment's project. One that is being removed has none, and whatever is computed of it nobody sees. */
    const zoneOf = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
      const environment = yield* projects.findEnvironment(environmentId)
      if (Option.isNone(environment)) return "UTC"
      const project = yield* projects.find(environment.value.applicationId)
      return Option.match(project, { onNone: () => "UTC", onSome: ({ timezone }) => timezone })
    })

    const planBeside = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      definition: CohortDefinition,
      demand: Checked<unknown>
    ) {
      const now = yield* Clock.currentTimeMillis
      const zone = yield* zoneOf(environmentId)
      const { planned } = yield* Either.mapLeft(
        together({ demand, planned: planCohort(definition, { now, zone }) }),
        refusal
      )
      const named = cohortReferences(planned)
      yield* references.demand(environmentId, named)
      return { now, plan: planned, cohortIds: [...named.cohorts] }
    })

    /** The plan as of now (epoch milliseconds), or why there is none: it makes no sense, or names what the environment has not. */
    const plan = (environmentId: EnvironmentId, definition: CohortDefinition) =>
      planBeside(environmentId, definition, Either.void)

    /** The same of a definition that somebody sends, of which nothing may be ignored, and which may have so many filters. */
    const planSent = (environmentId: EnvironmentId, definition: CohortDefinition) =>
      planBeside(
        environmentId,
        definition,
        together({ idle: demandNoIdleArgument(definition), few: demandFewFilters(definition) })
      )

    /** Refuses references that lead from a cohort back to it. */
    const demandAcyclic = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      id: CohortId,
      cohortIds: ReadonlyArray<CohortId>
    ) {
      const all = new Map((yield* cohorts.outlines(environmentId)).map((each) => [each.id, each.cohortIds]))
      const cycle = cohortCycle(id, (each) => (each === id ? cohortIds : (all.get(each) ?? [])))
      if (cycle !== null) {
        const message = `definition: cohort ${id} would depend on itself (${cycle.join(" → ")})`
        return yield* Effect.fail(new CohortCycle({ message }))
      }
    })

    return {
      plan,
      planSent,
      demandAcyclic,
      decode: (text: string) => Effect.orDie(decode(text)),
      encode: (definition: CohortDefinition) => Effect.orDie(encode(definition))
    } as const
  })
}) {}
