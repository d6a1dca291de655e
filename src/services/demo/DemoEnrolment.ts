import { Effect } from "effect"
import { setByHand } from "../../domain/experiments/AssignmentChange.ts"
import type { Context } from "../../domain/experiments/Context.ts"
import { decide } from "../../domain/experiments/Decision.ts"
import { next } from "../../domain/experiments/RoundRobin.ts"
import { groupIn, type StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import { at, type StoredExperiment, subjectOf } from "../../domain/experiments/StoredExperiment.ts"
import type { PlannedSession } from "../../domain/demo/DemoGame.ts"
import { demoGroups } from "../../domain/demo/DemoGroups.ts"
import type { EnvironmentId, ExperimentGroupId } from "../../domain/Ids.ts"
import { AssignmentRepo } from "../../ports/experiments/AssignmentRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Exposures } from "../game/Exposures.ts"

/** Names of the groups that each player is in, by the player's id. */
export type GroupNames = ReadonlyMap<string, ReadonlySet<string>>

/** Milliseconds from the start of a session to the configuration that the game asks for. */
const askedAfter = 400

/** Units that the store is asked for at once. */
const chunk = 500

const nobody: ReadonlySet<never> = new Set()

/** What the demo's game says of a player when it asks for a configuration. */
export const contextOf = ({ player, level, isFirst, appVersion }: PlannedSession): Context => ({
  "properties.level": level,
  "properties.newPlayer": isFirst,
  "properties.platform": player.platform,
  "properties.country": player.country,
  "properties.appVersion": appVersion
})

/** The group that somebody at the studio puts this player into by hand, which breaks the split of its experiment. */
export const handPickedGroup = (
  { groups }: StoredExperiment,
  { player }: PlannedSession
): ExperimentGroupId | undefined =>
  player.source === "influencer" ? groups.find(({ name }) => name === demoGroups.newMenu)?.id : undefined

/** The state of an experiment as it takes in players who have played already. */
class Intake {
  readonly experiment: StoredExperiment
  readonly fresh: Array<StoredAssignment> = []
  private readonly held: Map<string, StoredAssignment>
  private readonly assigned: Map<ExperimentGroupId, number>

  constructor(
    experiment: StoredExperiment,
    held: Map<string, StoredAssignment>,
    assigned: Map<ExperimentGroupId, number>
  ) {
    this.experiment = experiment
    this.held = held
    this.assigned = assigned
  }

  /** The name of the group whose changes the player gets in a session; null where there is none. */
  admit(session: PlannedSession): string | null {
    const experiment = at(this.experiment, session.startsAt)
    if (session.startsAt < experiment.progress.startsAt) return null
    const { unitId } = session.player
    const held = this.held.get(unitId)
    const assignment = held ?? this.handPicked(experiment, session) ?? null
    const subject = subjectOf(experiment, null)
    const unit = { distinctId: unitId, context: contextOf(session), cohorts: nobody, isNew: false, assignment }
    const decision = decide(subject, unit)
    if (decision.type === "none") return null
    if (decision.type === "member") return decision.getsChangeset ? this.nameOf(decision.groupId) : null
    const groupId = decision.type === "enrol" ? decision.groupId : this.turn(experiment)
    if (groupId === null) return null
    this.keep({
      experimentId: experiment.id,
      unitType: experiment.unitType,
      distinctId: unitId,
      automaticGroupId: groupId,
      overrideGroupId: null,
      status: "active",
      source: experiment.assignmentMode,
      version: 1,
      assignedAt: session.startsAt + askedAfter,
      firstExposedAt: null
    })
    return this.nameOf(groupId)
  }

  private handPicked(experiment: StoredExperiment, session: PlannedSession): StoredAssignment | undefined {
    if (experiment.progress.status !== "active") return undefined
    const groupId = handPickedGroup(experiment, session)
    if (groupId === undefined) return undefined
    const unit = { experimentId: experiment.id, unitType: experiment.unitType, distinctId: session.player.unitId }
    return this.keep(setByHand(unit, null, groupId, session.startsAt + askedAfter))
  }

  private turn({ progress }: StoredExperiment): ExperimentGroupId | null {
    const tallies = progress.groups.map(({ id, weight }) => ({ weight, assigned: this.assigned.get(id) ?? 0 }))
    const chosen = next(tallies)
    return chosen === null ? null : (progress.groups[chosen]?.id ?? null)
  }

  private keep(assignment: StoredAssignment): StoredAssignment {
    this.held.set(assignment.distinctId, assignment)
    this.fresh.push(assignment)
    const groupId = groupIn(assignment)
    if (groupId !== null) this.assigned.set(groupId, (this.assigned.get(groupId) ?? 0) + 1)
    return assignment
  }

  private nameOf(groupId: ExperimentGroupId): string | null {
    return this.experiment.groups.find(({ id }) => id === groupId)?.name ?? null
  }
}

/** Takes players of the demo into its experiments as the game did when they played, many sessions at a time. */
export class DemoEnrolment extends Effect.Service<DemoEnrolment>()("services/demo/DemoEnrolment", {
  effect: Effect.gen(function* () {
    const assignments = yield* AssignmentRepo
    const experiments = yield* ExperimentRepo
    const exposures = yield* Exposures

    const intakeOf = Effect.fnUntraced(function* (experiment: StoredExperiment, held: ReadonlyArray<StoredAssignment>) {
      const own = held.filter(({ experimentId }) => experimentId === experiment.id)
      const assigned = new Map<ExperimentGroupId, number>()
      for (const { groupId, count } of yield* assignments.totals(experiment.id))
        assigned.set(groupId, (assigned.get(groupId) ?? 0) + count)
      return new Intake(experiment, new Map(own.map((each) => [each.distinctId, each])), assigned)
    })

    const heldBy = Effect.fnUntraced(function* (environmentId: EnvironmentId, unitIds: ReadonlyArray<string>) {
      const held: Array<StoredAssignment> = []
      for (let from = 0; from < unitIds.length; from += chunk)
        held.push(...(yield* assignments.ofUnits(environmentId, "user", unitIds.slice(from, from + chunk))))
      return held
    })

    const record = Effect.fnUntraced(function* (environmentId: EnvironmentId, fresh: ReadonlyArray<StoredAssignment>) {
      if (fresh.length === 0) return
      yield* assignments.enrol(environmentId, fresh)
      yield* exposures.record(
        fresh.flatMap((assignment) => {
          const { experimentId, unitType, distinctId, assignedAt } = assignment
          const groupId = groupIn(assignment)
          if (groupId === null) return []
          const exposure = { environmentId, experimentId, groupId, unitType, distinctId, at: assignedAt }
          return [{ exposure, isNoted: false }]
        })
      )
    })

    /** The groups of the players of sessions, given in order of time, after enrolling those who come for the first time. */
    const enrol = Effect.fnUntraced(function* (environmentId: EnvironmentId, sessions: ReadonlyArray<PlannedSession>) {
      const groups = new Map<string, Set<string>>()
      const all = (yield* experiments.list(environmentId)).filter(({ unitType }) => unitType === "user")
      if (all.length === 0) return groups
      const held = yield* heldBy(environmentId, [...new Set(sessions.map(({ player }) => player.unitId))])
      const intakes = yield* Effect.forEach(all, (experiment) => intakeOf(experiment, held))
      for (const session of sessions) {
        const own = new Set(intakes.flatMap((intake) => intake.admit(session) ?? []))
        groups.set(session.player.unitId, own)
      }
      yield* record(
        environmentId,
        intakes.flatMap(({ fresh }) => fresh)
      )
      return groups satisfies GroupNames
    })

    return { enrol, flush: exposures.flush } as const
  })
}) {}
