import { Clock, Effect, FastCheck as fc } from "effect"
import type { Event } from "../../../src/domain/analytics/markers/Event.ts"
import type { Question } from "../../../src/domain/analytics/question/Question.ts"
import { CohortId, type EnvironmentId, ExperimentId } from "../../../src/domain/Ids.ts"
import { ConfigurationRepo } from "../../../src/ports/configuration/ConfigurationRepo.ts"
import { AlertRepo } from "../../../src/ports/operations/AlertRepo.ts"
import { ProjectRepo } from "../../../src/ports/access/ProjectRepo.ts"
import { EventStore } from "../../../src/ports/analytics/EventStore.ts"
import { CohortMembers } from "../../../src/ports/cohorts/CohortMembers.ts"
import { EnrolmentRepo } from "../../../src/ports/experiments/EnrolmentRepo.ts"
import {
  countedUnitsPlan,
  funnelPlan,
  heatmapPlan,
  insightPlan,
  listingPlan,
  retentionPlan,
  revenuePlan
} from "../analytics/Plans.ts"
import { origin, tick, ticks, types } from "../analytics/PlanParts.ts"
import { assigned } from "../experiments/Exposed.ts"
import { newConfiguration } from "../configuration/NewConfigurations.ts"
import { alertOf } from "../operations/Alerts.ts"
import { insightUnitsPlan, retentionUnitsPlan } from "../analytics/UnitPlans.ts"
import { events, exposed } from "../Arbitraries.ts"

const uuid = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`

const worlds = fc.oneof(
  events({ units: 6, types, ticks, tick, origin, most: 60 }),
  events({ units: 6, types, ticks, tick, origin, most: 60 }).map(exposed)
)

/** Random markers of players u0 to u5, in requests. */
const requests = (): ReadonlyArray<ReadonlyArray<Event>> => {
  let number = 0
  return fc
    .sample(worlds, 80)
    .map((all) => all.map((event) => ({ ...event, markerId: uuid(++number), receivedAt: origin })))
}

/** A marker that is received today, so that its id is known wherever it goes. */
export const recent: Event = {
  markerId: uuid(888_888),
  type: "a",
  unitId: "u0",
  sessionId: null,
  serverId: null,
  timestamp: origin,
  receivedAt: origin,
  clamped: false,
  arguments: {},
  properties: {},
  position: null
}

/** Questions of the kinds that a store answers from markers. */
export const questions = (count: number): ReadonlyArray<Question> =>
  fc.sample(
    fc.oneof(
      insightPlan.map((plan): Question => ({ kind: "insight", plan })),
      funnelPlan.map((plan): Question => ({ kind: "funnel", plan })),
      retentionPlan.map((plan): Question => ({ kind: "retention", plan })),
      heatmapPlan.map((plan): Question => ({ kind: "heatmap", plan })),
      listingPlan.map((plan): Question => ({ kind: "listing", plan })),
      countedUnitsPlan.map((plan): Question => ({ kind: "countedUnits", plan })),
      revenuePlan.map((plan): Question => ({ kind: "revenue", plan })),
      insightUnitsPlan.map((plan): Question => ({ kind: "insightUnits", plan })),
      retentionUnitsPlan.map((plan): Question => ({ kind: "retentionUnits", plan }))
    ),
    count
  )

/**
 * Plays a new environment of a demo folder: random markers, sealed and not, a player who is erased, an environment that is removed and whose
 * configuration and alert nobody has deleted yet, and members who come and go, and a player whose exposures have no markers yet. Answers the environment.
 */
export const playMore = Effect.gen(function* () {
  const projects = yield* ProjectRepo
  const store = yield* EventStore
  const members = yield* CohortMembers
  const [known] = yield* projects.everyEnvironment
  if (known === undefined) return yield* Effect.die("The demo has no environment")
  const fresh = (alias: string) =>
    Effect.flatMap(projects.insertEnvironment({ ...known, name: alias, alias }), (found) => Effect.orDie(found))
  const { id } = yield* fresh("played")
  const assignments = [9001, 9002].map((each) => assigned(ExperimentId.make(each), "noted", { firstExposedAt: 1000 }))
  yield* (yield* EnrolmentRepo).enrolAll([{ environmentId: id, revisions: new Map(), assignments }])
  const gone = yield* fresh("gone")
  const all = requests()
  for (const [at, request] of all.entries()) {
    yield* store.append(id, origin, request)
    if (at === 20 || at === 50) yield* store.maintain({ now: origin, retention: [] })
    if (at === 40) yield* store.erase(id, "u5")
  }
  yield* store.append(id, yield* Clock.currentTimeMillis, [recent])
  yield* store.append(gone.id, origin, [{ ...all.flat()[0]!, markerId: uuid(999_999) }])
  const place = { id: gone.id, applicationId: known.applicationId }
  yield* (yield* ConfigurationRepo).insert(newConfiguration(place, "of the removed"))
  yield* (yield* AlertRepo).insert(alertOf(place))
  yield* projects.removeEnvironment(gone.id)
  for (const [at, units] of [
    ["u0", "u1", "x"],
    ["u1", "never seen"],
    ["u0", "u1"]
  ].entries())
    // Cohorts that the demo has elsewhere: the random questions ask about these two.
    yield* members.replace(id, CohortId.make(1), units, origin + at * tick)
  yield* members.replace(id, CohortId.make(2), ["u1", "u3"], origin)
  return id
})

/** What the store answers, or that it does not. */
export const answersTo = (environment: EnvironmentId, asked: ReadonlyArray<Question>) =>
  Effect.flatMap(EventStore, ({ ask }) =>
    Effect.forEach(asked, (question) => Effect.map(ask(environment, question), ({ answer }) => answer))
  )

/** What is known of the members of the cohorts 1 and 2, now and earlier. */
export const membersIn = (environment: EnvironmentId) =>
  Effect.flatMap(CohortMembers, ({ members, count, membership }) =>
    Effect.forEach([1, 2], (id) =>
      Effect.forEach([null, origin, origin + tick], (at) =>
        Effect.all([
          members(environment, CohortId.make(id), { at, after: null, limit: 100 }),
          count(environment, CohortId.make(id), at),
          membership(environment, CohortId.make(id), ["u0", "u1", "x", "never seen", "nobody"], at)
        ])
      )
    )
  )
