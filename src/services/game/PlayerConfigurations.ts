import { Clock, Effect } from "effect"
import { ConfigurationNotFound } from "../../../schema/configuration/ConfigurationErrors.ts"
import type { PlayerConfiguration } from "../../../schema/configuration/PlayerConfiguration.ts"
import type { AppliedChangeset } from "../../domain/configuration/Changeset.ts"
import { changedPaths } from "../../domain/configuration/ChangedPaths.ts"
import { get } from "../../domain/configuration/Document.ts"
import { admit, type Enrolled, isActive, type KnownUnit, type Wanted } from "../../domain/experiments/Admission.ts"
import type { Context } from "../../domain/experiments/Context.ts"
import { deliver } from "../../domain/game/Resolution.ts"
import type { ConfigurationId, EnvironmentId } from "../../domain/Ids.ts"
import { EventStore } from "../../ports/analytics/EventStore.ts"
import { CohortMembers } from "../../ports/cohorts/CohortMembers.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { UnitSightRepo } from "../../ports/game/UnitSightRepo.ts"
import { Policy } from "../access/Policy.ts"
import { answered, complete } from "../analytics/QueryFailure.ts"
import { RunningExperiments } from "../experiments/RunningExperiments.ts"
import type { ApplicationWhere } from "../Where.ts"
import { Delivery } from "./Delivery.ts"

type Membership = PlayerConfiguration["experiments"][number] & AppliedChangeset

const unchanged = { operations: [] }

const memberOf = ({ running: { experiment }, assignment, groupId, getsChangeset }: Enrolled): Membership => {
  const group = experiment.groups.find(({ id }) => id === groupId)
  return {
    experimentId: experiment.id,
    experimentName: experiment.name,
    groupId,
    groupName: group?.name ?? "",
    source: assignment.source,
    isAssigned: true,
    unitType: "user",
    changeset: getsChangeset ? (group?.changeset ?? unchanged) : unchanged
  }
}

/** The group that a question of the game would put the player into. Nobody knows it before where groups take turns. */
const expectedOf = ({ running: { experiment }, decision }: Wanted): Membership => {
  const group = decision.type === "enrol" ? experiment.groups.find(({ id }) => id === decision.groupId) : undefined
  return {
    experimentId: experiment.id,
    experimentName: experiment.name,
    groupId: group?.id ?? null,
    groupName: group?.name ?? null,
    source: experiment.assignmentMode,
    isAssigned: false,
    unitType: "user",
    changeset: group?.changeset ?? unchanged
  }
}

/** Configurations as players would get them now. Nobody is enrolled, exposed or noted as seen by a look at them. */
export class PlayerConfigurations extends Effect.Service<PlayerConfigurations>()("services/game/PlayerConfigurations", {
  effect: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const cohorts = yield* CohortMembers
    const delivery = yield* Delivery
    const events = yield* EventStore
    const policy = yield* Policy
    const runningExperiments = yield* RunningExperiments
    const sights = yield* UnitSightRepo

    /** The latest properties of the player's markers stand for what the game would say of them. */
    const contextOf = (environmentId: EnvironmentId, unitId: string) =>
      complete(answered(events.ask<"profile">(environmentId, { kind: "profile", plan: { unitId } }))).pipe(
        Effect.map(({ answer }): Context =>
          Object.fromEntries(Object.entries(answer).map(([name, value]) => [`properties.${name}`, value]))
        )
      )

    const firstSeenAt = Effect.fnUntraced(function* (environmentId: EnvironmentId, unitId: string, now: number) {
      const noted = (yield* sights.firstSeen(environmentId, "user", [unitId])).get(unitId) ?? now
      const { answer } = yield* complete(
        answered(events.ask<"unit">(environmentId, { kind: "unit", plan: { unitId } }))
      )
      return Math.min(noted, answer?.firstSeenAt ?? now)
    })

    const known = Effect.fnUntraced(function* (environmentId: EnvironmentId, distinctId: string, now: number) {
      const held = yield* assignments.ofUnits(environmentId, "user", [distinctId])
      const belongs = yield* answered(cohorts.ofUnit(environmentId, distinctId))
      return {
        distinctId,
        context: yield* contextOf(environmentId, distinctId),
        held: new Map(held.map((each) => [each.experimentId, each])),
        cohorts: new Set(belongs.map(({ cohortId }) => cohortId)),
        firstSeenAt: yield* firstSeenAt(environmentId, distinctId, now)
      } satisfies KnownUnit
    })

    const membershipsOf = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      configurationId: ConfigurationId,
      unitId: string
    ) {
      const now = yield* Clock.currentTimeMillis
      const { running, layered } = yield* runningExperiments.now(environmentId)
      const asked = running.filter(
        ({ experiment }) => experiment.unitType === "user" && experiment.baseConfigurationId === configurationId
      )
      if (asked.length === 0) return []
      const { enrolled, wanted } = admit(layered, asked, yield* known(environmentId, unitId, now), now)
      return [...enrolled.filter(isActive).map(memberOf), ...wanted.map(expectedOf)].toSorted(
        (one, other) => one.experimentId - other.experimentId
      )
    })

    /** The configuration as the player gets it, and which experiment set what of it. */
    const seenBy = Effect.fnUntraced(function* (
      { applicationId, environmentId: wanted }: ApplicationWhere,
      unitId: string,
      configurationId: ConfigurationId
    ) {
      yield* policy.environment("players:read", applicationId, wanted)
      yield* policy.environment("experiments:read", applicationId, wanted)
      const { environment } = yield* policy.environment("configurations:read", applicationId, wanted)
      const delivered = yield* delivery.current(environment.id, "server")
      const entry = delivered.configurations.find(({ id }) => id === configurationId)
      if (entry === undefined) {
        const message = `Configuration ${configurationId} does not exist in this environment`
        return yield* Effect.fail(new ConfigurationNotFound({ message }))
      }
      const memberships = yield* membershipsOf(environment.id, configurationId, unitId)
      const base = entry.resolution.document
      return {
        unitId,
        configurationId,
        configuration: deliver(entry.resolution, memberships),
        privacy: entry.privacy,
        experiments: memberships.map(({ unitType: _, changeset: _changes, ...told }) => told),
        changes: changedPaths(base, memberships).map((each) => {
          const previous = get(base, each.path)
          return { ...each, ...(previous === undefined ? {} : { previous }) }
        })
      } satisfies PlayerConfiguration
    })

    return { get: seenBy } as const
  })
}) {}
