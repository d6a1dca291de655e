import { Clock, Effect } from "effect"
import type { AssignedUnits } from "../../../schema/game/SdkExperiments.ts"
import { type Enrolled, type EnrollingUnit, isActive } from "../../domain/experiments/Admission.ts"
import type { Context } from "../../domain/experiments/Context.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import { isSettled } from "../../domain/experiments/Settled.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { LruCache, mebibyte, textBytes } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import { RunningExperiments } from "../experiments/RunningExperiments.ts"
import { Evaluation } from "./Evaluation.ts"
import { Versions } from "./Versions.ts"

type Said = AssignedUnits["assignments"][string]

/** A reference to a string that another cache holds. */
const pointerBytes = 8

const said = (all: ReadonlyArray<Enrolled>): Said =>
  all.map(({ assignment, groupId }) => ({
    experimentId: assignment.experimentId,
    groupId,
    automaticGroupId: assignment.automaticGroupId,
    overrideGroupId: assignment.overrideGroupId,
    status: assignment.status,
    source: assignment.source,
    assignmentVersion: assignment.version
  }))

/** Whether nothing is left to store of a unit's first exposures. */
const isExposed = (all: ReadonlyArray<Enrolled>): boolean =>
  all.every((each) => each.assignment.firstExposedAt !== null || !isActive(each))

/**
 * The assignments of units in JSON, as answers to many units at once hold them. Those of a settled unit are kept, once for all units
 * in the same groups, until an experiment or somebody changes them.
 */
export class WrittenAssignments extends Effect.Service<WrittenAssignments>()("services/game/WrittenAssignments", {
  effect: Effect.gen(function* () {
    const evaluation = yield* Evaluation
    const runningExperiments = yield* RunningExperiments
    const versions = yield* Versions
    /** For each settled unit the text of its assignments, which `texts` holds. */
    const settled = new ValidCache<string>(64 * mebibyte, () => pointerBytes)
    const texts = new LruCache<string>(16 * mebibyte, textBytes)

    const find = (key: string, now: number): string | undefined => {
      const text = settled.get(key, now)
      return text === undefined ? undefined : texts.get(text)
    }

    /** The assignments of each unit to all running experiments for its type, by distinct id, after enrolling it where it may be. */
    const of = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      unitType: UnitType,
      units: ReadonlyArray<EnrollingUnit>
    ) {
      const unchanged = versions.assignments(environmentId).validity()
      const { running, validity } = yield* runningExperiments.now(environmentId)
      const now = yield* Clock.currentTimeMillis
      const keyOf = (distinctId: string) => `${environmentId} ${unitType} ${distinctId}`
      const found = new Map<string, string>()
      const asking: Array<EnrollingUnit> = []
      const contexts: Array<Context> = []
      for (const unit of units) {
        const text = find(keyOf(unit.distinctId), now)
        if (text === undefined) asking.push(unit)
        else {
          found.set(unit.distinctId, text)
          contexts.push(unit.context)
        }
      }
      yield* evaluation.noteContexts(environmentId, contexts)
      if (asking.length === 0) return found
      const experiments = running.flatMap(({ experiment }) => (experiment.unitType === unitType ? [experiment] : []))
      const answers = yield* evaluation.assignmentsOfUnits(environmentId, unitType, asking)
      for (const [distinctId, all] of answers) {
        const written = JSON.stringify(said(all))
        const text = texts.get(written) ?? written
        found.set(distinctId, text)
        if (!isExposed(all)) continue
        if (!isSettled(experiments, (id) => all.some(({ assignment }) => assignment.experimentId === id))) continue
        texts.set(text, text)
        settled.set(keyOf(distinctId), text, unchanged.and(validity))
      }
      return found
    })

    return { of } as const
  })
}) {}
