import { Clock, Effect, Option } from "effect"
import { ReferenceInvalid } from "../../../schema/analytics/AnalyticsErrors.ts"
import type { InsightAnswer, Metric } from "../../domain/analytics/insight/InsightPlan.ts"
import type { Answers } from "../../domain/analytics/question/Question.ts"
import { ReferenceList, type ReferringKind, rewritten } from "../../domain/analytics/question/References.ts"
import { metricsWithoutValue, withUnknownArgument } from "../../domain/analytics/filter/UnknownArgument.ts"
import { type NamedThings, type SeenThings, type Unseen, unseenNames } from "../../domain/analytics/filter/Unseen.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { CohortRepo } from "../../ports/cohorts/CohortRepo.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { MarkerRepo } from "../../ports/analytics/MarkerRepo.ts"
import { CohortUsers } from "../cohorts/CohortUsers.ts"
import { answered } from "./QueryFailure.ts"

/** Names that are remembered as seen. */
const knownNames = 20_000

const writtenAs = (source: "argument" | "property", name: string): string => JSON.stringify({ source, name })

const warningOf = ({ kind, name, nearest, other }: Unseen): string => {
  const what =
    kind === "marker" ? `No marker ${name} was ever seen here` : `No marker here ever had the ${kind} ${name}`
  if (other !== null) return `${what}: markers here have the ${other} ${name}, so write ${writtenAs(other, name)}`
  return nearest === null ? what : `${what}: did you mean ${nearest}?`
}

const missing = (what: string, id: number) => `There is no ${what} ${id} in this environment`

/** The cohorts and experiments that questions name. Asks for no permission: its callers do. */
export class References extends Effect.Service<References>()("services/analytics/References", {
  effect: Effect.gen(function* () {
    const cohorts = yield* CohortRepo
    const markers = yield* MarkerRepo
    const store = yield* EventStore
    const users = yield* CohortUsers

    /** Refuses cohorts, experiments and groups which the environment does not have, and names all of them. */
    const demand = Effect.fnUntraced(function* (environmentId: EnvironmentId, list: ReferenceList) {
      const problems: Array<string> = []
      for (const id of list.cohorts)
        if (Option.isNone(yield* cohorts.find(environmentId, id))) problems.push(missing("cohort", id))
      for (const [id, named] of list.experiments) {
        const groups = yield* users.groups(environmentId, id)
        if (Option.isNone(groups)) problems.push(missing("experiment", id))
        else
          for (const group of named)
            if (!groups.value.includes(group)) problems.push(`Experiment ${id} has no group ${group}`)
      }
      if (problems.length > 0) return yield* Effect.fail(new ReferenceInvalid({ message: problems.join("; ") }))
    })

    /** Refuses a plan that names a cohort, experiment or group which the environment does not have. */
    const check = Effect.fnUntraced(function* <Kind extends ReferringKind>(
      environmentId: EnvironmentId,
      kind: Kind,
      plan: Answers[Kind]["plan"]
    ) {
      const list = new ReferenceList()
      rewritten[kind](plan, list.collecting)
      yield* demand(environmentId, list)
    })

    const namesOf = (environmentId: EnvironmentId, source: "argument" | "property") =>
      answered(store.ask<"names">(environmentId, { kind: "names", plan: { source, type: null } })).pipe(
        Effect.map(({ answer }) => answer)
      )

    /** Refuses a metric that found nothing because none of its markers ever had the argument it measures. */
    const checkArguments = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      asked: ReadonlyArray<Metric>,
      answer: InsightAnswer
    ) {
      const empty = metricsWithoutValue(answer, asked)
      if (empty.length === 0) return
      const now = yield* Clock.currentTimeMillis
      const types = yield* answered(store.ask<"types">(environmentId, { kind: "types", plan: { now } }))
      const names = yield* namesOf(environmentId, "argument")
      const { arguments: described } = yield* markers.metadata(environmentId)
      const wrong = withUnknownArgument(empty, types.answer, names, described)
      if (wrong === undefined) return
      const { id, measure, selector } = wrong
      const message = `metric ${id}: no marker ${selector.types.join(", ")} has an argument ${measure.argument}`
      const properties = yield* namesOf(environmentId, "property")
      const hint = properties.some(({ name }) => name === measure.argument)
        ? `. It is a property, which filters and breakdowns take: ${writtenAs("property", measure.argument)}`
        : ""
      return yield* Effect.fail(new ReferenceInvalid({ message: message + hint }))
    })

    /** Names that were seen, by environment; a name that was seen stays so. The set is emptied when it is full. */
    const known = new Set<string>()

    const remember = (environmentId: EnvironmentId, kind: string, names: ReadonlyArray<{ readonly name: string }>) => {
      for (const { name } of names) {
        if (known.size >= knownNames) known.clear()
        known.add(`${environmentId} ${kind} ${name}`)
      }
    }

    const isKnown = (environmentId: EnvironmentId, kind: string, names: ReadonlySet<string>) =>
      [...names].every((name) => known.has(`${environmentId} ${kind} ${name}`))

    /** Warnings about names of a plan that no marker ever had; the catalogue is asked when there are some that are not known yet. */
    const warnings = Effect.fnUntraced(function* (environmentId: EnvironmentId, asked: NamedThings) {
      if (
        isKnown(environmentId, "marker", asked.types) &&
        isKnown(environmentId, "argument", asked.arguments) &&
        isKnown(environmentId, "property", asked.properties)
      )
        return []
      const now = yield* Clock.currentTimeMillis
      const types = yield* answered(store.ask<"types">(environmentId, { kind: "types", plan: { now } }))
      const seen: SeenThings = {
        types: types.answer,
        arguments: yield* namesOf(environmentId, "argument"),
        properties: yield* namesOf(environmentId, "property")
      }
      remember(
        environmentId,
        "marker",
        seen.types.filter(({ name }) => asked.types.has(name))
      )
      remember(
        environmentId,
        "argument",
        seen.arguments.filter(({ name }) => asked.arguments.has(name))
      )
      remember(
        environmentId,
        "property",
        seen.properties.filter(({ name }) => asked.properties.has(name))
      )
      return unseenNames(asked, seen).map((one) => {
        const { kind, name, nearest } = one
        return { kind, name, nearest, message: warningOf(one) }
      })
    })

    return { check, checkArguments, demand, warnings } as const
  })
}) {}
