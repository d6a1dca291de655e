import { Array, Clock, Effect } from "effect"
import type { AssignedUnits } from "../../../schema/game/SdkExperiments.ts"
import { groupBy } from "../../domain/analytics/filter/Grouping.ts"
import { type Enrolled, type EnrollingUnit, isActive } from "../../domain/experiments/Admission.ts"
import type { Context } from "../../domain/experiments/Context.ts"
import type { UnitType } from "../../domain/experiments/Experiment.ts"
import { isSettled } from "../../domain/experiments/Settled.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ListNumbers } from "../../domain/ListNumbers.ts"
import { LruCache, mebibyte } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import { RunningExperiments } from "../experiments/RunningExperiments.ts"
import { assignmentsAtOnce } from "./Enrolment.ts"
import { Evaluation } from "./Evaluation.ts"
import { Versions } from "./Versions.ts"

type Said = AssignedUnits["assignments"][string]

/** Bytes of a number of a list. */
const numberBytes = 8

const saidOf = ({ assignment, groupId }: Enrolled): Said[number] => ({
  experimentId: assignment.experimentId,
  groupId,
  automaticGroupId: assignment.automaticGroupId,
  overrideGroupId: assignment.overrideGroupId,
  status: assignment.status,
  source: assignment.source,
  assignmentVersion: assignment.version
})

/** Whether nothing is left to store of a unit's first exposures. */
const isExposed = (all: ReadonlyArray<Enrolled>): boolean =>
  all.every((each) => each.assignment.firstExposedAt !== null || !isActive(each))

const encoder = new TextEncoder()

/** Assignments of units by distinct id, each a list in JSON. */
export type WrittenUnits = ReadonlyMap<string, Uint8Array>

const begin = Buffer.from('{"assignments":{')
const end = Buffer.from("}}")
const comma = 0x2c

/** The same units in the order in which they were asked about, whatever was known of them. */
const inOrderOf = (units: ReadonlyArray<EnrollingUnit>, found: WrittenUnits): WrittenUnits => {
  const ordered = new Map<string, Uint8Array>()
  for (const { distinctId } of units) {
    const list = found.get(distinctId)
    if (list !== undefined) ordered.set(distinctId, list)
  }
  return ordered
}

/** The most bytes of a character of JavaScript in UTF-8. */
const mostBytes = 3

/** The answer of these in JSON, as the contract has it. */
export const answerOf = (units: WrittenUnits): Uint8Array => {
  let most = begin.length + end.length
  const names: Array<string> = []
  for (const [distinctId, list] of units) {
    const name = `${JSON.stringify(distinctId)}:`
    names.push(name)
    most += mostBytes * name.length + list.length + 1
  }
  const answer = Buffer.allocUnsafe(most)
  let at = begin.copy(answer)
  let index = 0
  for (const list of units.values()) {
    if (index > 0) answer[at++] = comma
    at += answer.write(names[index++] ?? "", at)
    answer.set(list, at)
    at += list.length
  }
  return answer.subarray(0, at + end.copy(answer, at))
}

/**
 * The units of a request in parts that have no more assignments than requests which are answered together, so that others are answered between
 * two parts: each is read, stored and written in turns of its own. What is said of one unit stays in one part, where the last of it counts.
 */
const partsOf = (
  units: ReadonlyArray<EnrollingUnit>,
  experiments: number
): ReadonlyArray<ReadonlyArray<EnrollingUnit>> =>
  Array.chunksOf(
    groupBy(units, ({ distinctId }) => distinctId).values(),
    Math.max(1, Math.floor(assignmentsAtOnce / Math.max(1, experiments)))
  ).map((part) => part.flat())

/**
 * The assignments of units in JSON, as answers to many units at once hold them. Those of a settled unit are kept, once for all units
 * in the same groups, until an experiment or somebody changes them.
 */
export class WrittenAssignments extends Effect.Service<WrittenAssignments>()("services/game/WrittenAssignments", {
  effect: Effect.gen(function* () {
    const evaluation = yield* Evaluation
    const runningExperiments = yield* RunningExperiments
    const versions = yield* Versions
    const clock = yield* Effect.clock
    const numbers = new ListNumbers({ keyOf: ({ groupId }: Enrolled) => groupId, factsOf: saidOf })
    /** For each settled unit the number of the list of its assignments, which `lists` holds. */
    const settled = new ValidCache<number>(64 * mebibyte, () => numberBytes)
    const lists = new LruCache<Uint8Array, number>(16 * mebibyte, ({ length }) => length)

    const keyOf = (environmentId: EnvironmentId, unitType: UnitType, distinctId: string) =>
      `${environmentId} ${unitType} ${distinctId}`

    const find = (key: string, now: number): Uint8Array | undefined => {
      const number = settled.get(key, now)
      return number === undefined ? undefined : lists.get(number)
    }

    /** The assignments of units of which nothing is told and all are settled, without reading or recording anything. */
    const known = (
      environmentId: EnvironmentId,
      unitType: UnitType,
      distinctIds: ReadonlyArray<string>
    ): WrittenUnits | undefined => {
      const now = clock.unsafeCurrentTimeMillis()
      const found = new Map<string, Uint8Array>()
      for (const distinctId of distinctIds) {
        const list = find(keyOf(environmentId, unitType, distinctId), now)
        if (list === undefined) return undefined
        found.set(distinctId, list)
      }
      return found
    }

    /** A list in JSON, once for all who have the same. */
    const written = (number: number, all: ReadonlyArray<Enrolled>): Uint8Array => {
      const kept = lists.get(number)
      if (kept !== undefined) return kept
      const bytes = encoder.encode(JSON.stringify(all.map(saidOf)))
      lists.set(number, bytes)
      return bytes
    }

    /** The assignments of each unit to all running experiments for its type, by distinct id, after enrolling it where it may be. */
    const of = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      unitType: UnitType,
      units: ReadonlyArray<EnrollingUnit>
    ) {
      const assignments = versions.assignments(environmentId).validity()
      const { running, validity } = yield* runningExperiments.now(environmentId)
      const unchanged = assignments.and(validity)
      const now = yield* Clock.currentTimeMillis
      const found = new Map<string, Uint8Array>()
      const asking: Array<EnrollingUnit> = []
      const contexts: Array<Context> = []
      for (const unit of units) {
        const list = find(keyOf(environmentId, unitType, unit.distinctId), now)
        if (list === undefined) asking.push(unit)
        else {
          found.set(unit.distinctId, list)
          contexts.push(unit.context)
        }
      }
      yield* evaluation.noteContexts(environmentId, contexts)
      if (asking.length === 0) return found
      const experiments = running.flatMap(({ experiment }) => (experiment.unitType === unitType ? [experiment] : []))
      for (const part of partsOf(asking, experiments.length)) {
        const answers = yield* evaluation.assignmentsOfUnits(environmentId, unitType, part)
        for (const [distinctId, all] of answers) {
          const number = numbers.of(all)
          found.set(distinctId, written(number, all))
          if (!isExposed(all)) continue
          if (!isSettled(experiments, (id) => all.some(({ assignment }) => assignment.experimentId === id))) continue
          settled.set(keyOf(environmentId, unitType, distinctId), number, unchanged)
        }
      }
      return inOrderOf(units, found)
    })

    return { known, of } as const
  })
}) {}
