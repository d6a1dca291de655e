import { Effect, Option } from "effect"
import { exposureType } from "../../../src/domain/analytics/filter/Memberships.ts"
import { unfiltered } from "../../../src/domain/analytics/filter/Filter.ts"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import type { ListingPlan } from "../../../src/domain/analytics/question/Question.ts"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import { groupIn } from "../../../src/domain/experiments/StoredAssignment.ts"
import type { EnvironmentId } from "../../../src/domain/Ids.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { CohortMembers } from "../../../src/ports/cohorts/CohortMembers.ts"
import { CohortRepo } from "../../../src/ports/cohorts/CohortRepo.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"

const atOnce = 1000
const everyone = { search: null, source: null, status: null, groupId: null }

const eventsOf = Effect.fnUntraced(function* (environmentId: EnvironmentId) {
  const store = yield* EventStore
  const all: Array<StoredEvent> = []
  let after: ListingPlan["after"] = null
  do {
    const range = { from: 0, to: Number.MAX_SAFE_INTEGER }
    const plan: ListingPlan = { range, types: null, unitId: null, filter: unfiltered, limit: atOnce, after }
    const { answer } = yield* Effect.orDie(store.ask<"listing">(environmentId, { kind: "listing", plan }))
    all.push(...answer.items)
    after = answer.next
  } while (after !== null)
  return all
})

/** Exposures that say another group than the assignments, or a group of another experiment. */
const wrongExposure = Effect.fnUntraced(function* (experiment: StoredExperiment, event: StoredEvent) {
  const { groupId } = event.arguments
  const assigned = yield* (yield* AssignmentRepo).find(experiment.environmentId, experiment.id, event.unitId ?? "")
  const own = Option.getOrUndefined(Option.map(assigned, groupIn))
  return own === groupId
    ? []
    : [`${event.unitId} of experiment ${experiment.id} is in ${own} and was exposed to ${groupId}`]
})

const inEnvironment = Effect.fnUntraced(function* (environmentId: EnvironmentId, name: string) {
  const experiments = yield* (yield* ExperimentRepo).list(environmentId)
  const found: Array<string> = []
  const check = (what: string, unitId: string | null) => {
    if (unitId?.startsWith(name) !== true) found.push(`${what} of ${name}: ${unitId}`)
  }
  for (const event of yield* eventsOf(environmentId)) {
    check(event.type, event.unitId)
    const experiment = experiments.find(({ id }) => id === event.arguments["experimentId"])
    if (event.type === exposureType && experiment !== undefined)
      found.push(...(yield* wrongExposure(experiment, event)))
  }
  const assignments = yield* AssignmentRepo
  for (const { experimentId } of yield* assignments.counts(environmentId))
    if (!experiments.some(({ id }) => id === experimentId)) found.push(`experiment ${experimentId} is not there`)
  for (const { id } of experiments) {
    const { items } = yield* assignments.page(id, everyone, 0, atOnce)
    for (const { distinctId } of items) check(`experiment ${id}`, distinctId)
  }
  const members = yield* CohortMembers
  for (const { id, memberCount } of yield* (yield* CohortRepo).list(environmentId)) {
    const own = yield* Effect.orDie(members.members(environmentId, id, { at: null, after: null, limit: atOnce }))
    for (const { unitId } of own) check(`cohort ${id}`, unitId)
    if (own.length !== memberCount) found.push(`cohort ${id} has ${own.length} members, not ${memberCount}`)
  }
  return found
})

/**
 * Rows of either file that stand under a tenant, an experiment or a cohort that they are not of. `names`: what the ids of all units of an
 * environment begin with.
 */
export const mixtures = Effect.fnUntraced(function* (names: ReadonlyMap<number, string>) {
  const found: Array<string> = []
  for (const { id } of yield* (yield* ProjectRepo).everyEnvironment) {
    const name = names.get(id)
    found.push(...(name === undefined ? [`environment ${id} is nobody's`] : yield* inEnvironment(id, name)))
  }
  return found
})
