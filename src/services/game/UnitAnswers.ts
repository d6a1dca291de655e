import { Array as Arr, Effect, type Exit, Schema } from "effect"
import { EvaluatedConfiguration } from "../../../schema/game/SdkConfigurations.ts"
import { inOrder } from "../../domain/configuration/Changeset.ts"
import type { Document } from "../../domain/configuration/Document.ts"
import { pathsIn } from "../../domain/configuration/PathTree.ts"
import { deliver } from "../../domain/game/Resolution.ts"
import { named } from "../../domain/game/Snapshot.ts"
import { requiredProperties } from "../../domain/experiments/Targeting.ts"
import type { EnvironmentId } from "../../domain/Ids.ts"
import { ListNumbers } from "../../domain/ListNumbers.ts"
import { mebibyte } from "../../domain/LruCache.ts"
import { ValidCache } from "../../domain/ValidCache.ts"
import { makeGroups } from "../Groups.ts"
import { type Delivered, Delivery, type Ready, type ReadyEntry } from "./Delivery.ts"
import { assignmentsAtOnce } from "./Enrolment.ts"
import { type AskingUnit, Evaluation, type UnitAssignment } from "./Evaluation.ts"
import {
  type AskedEntry,
  type DeliveredPlace,
  find,
  type FoundForUnit,
  type FullUnitQuestion,
  groupNumbers,
  groupOf,
  isSettledIn,
  isSlow,
  keyOf,
  type UnitQuestion,
  unitsOf
} from "./UnitQuestion.ts"
import { Versions } from "./Versions.ts"
import { WrittenAnswers } from "./WrittenAnswers.ts"

const rowsOf = ({ delivered }: AskedEntry): number => Math.max(1, delivered.experiments.length)

/** A reference to a string that another cache holds. */
const pointerBytes = 8

const encoder = new TextEncoder()

type Answer = (typeof EvaluatedConfiguration)["Encoded"]

const readyOf = (answer: Answer): Ready => ({ hash: answer.hash, bytes: encoder.encode(JSON.stringify(answer)) })

const toldBefore = (experiment: Answer["experiments"][number]) => ({ ...experiment, exposureProxyRecorded: false })

/** Configurations as single units get them. */
export class UnitAnswers extends Effect.Service<UnitAnswers>()("services/game/UnitAnswers", {
  scoped: Effect.gen(function* () {
    const delivery = yield* Delivery
    const evaluation = yield* Evaluation
    const versions = yield* Versions
    const written = yield* WrittenAnswers
    const clock = yield* Effect.clock
    const numbers = new ListNumbers(groupNumbers)
    /** For each settled unit the key of its written answer. */
    const settledKeys = new ValidCache<string>(96 * mebibyte, () => pointerBytes)

    /** The answer that a settled unit got before, without reading or recording anything. */
    const settled = (place: DeliveredPlace, question: UnitQuestion): Ready | undefined => {
      const now = clock.unsafeCurrentTimeMillis()
      const key = settledKeys.get(keyOf(place, question), now)
      return key === undefined ? undefined : written.find(key, now)
    }

    const assignmentsOf = Effect.fnUntraced(function* (
      environmentId: EnvironmentId,
      { id }: ReadyEntry,
      units: ReadonlyArray<AskingUnit>
    ) {
      const found: Array<UnitAssignment> = []
      for (const unit of units) found.push(...(yield* evaluation.assignmentsFor(environmentId, id, unit)))
      return inOrder(found)
    })

    const requiredOf = ({ experiments }: Delivered, { id }: ReadyEntry) =>
      requiredProperties(
        experiments.filter(({ baseConfigurationId }) => baseConfigurationId === id).map(({ targeting }) => targeting)
      )

    /** The groups in which a unit gets a configuration; assigns it where it may be enrolled. Without a unit: none. */
    const forUnit = Effect.fnUntraced(function* (
      delivered: Delivered,
      name: string | undefined,
      unit: AskingUnit | undefined,
      serverId?: string
    ) {
      const entry = yield* find(delivered, name)
      const units = unit === undefined ? [] : unitsOf(unit, serverId)
      const assignments = yield* assignmentsOf(delivered.environmentId, entry, units)
      return { delivered, entry, assignments } satisfies FoundForUnit
    })

    /**
     * The answer that `write` makes of a configuration as units in these groups get it, once for all of them. `shape` names the kind of
     * answer.
     */
    const writtenFor = <E, R>(
      { delivered, entry, assignments }: FoundForUnit,
      shape: string,
      write: (configuration: Document) => Effect.Effect<Ready, E, R>
    ) =>
      written.of(
        delivered,
        `${shape} ${entry.id} ${assignments.map(groupOf).join(",")}`,
        Effect.suspend(() => write(deliver(entry.resolution, assignments)))
      )

    /** What a unit in these groups is answered. */
    const answerTo = Effect.fnUntraced(function* (
      { delivered, entry }: AskedEntry,
      assignments: ReadonlyArray<UnitAssignment>,
      groups: ReadonlyArray<string>
    ) {
      const { id, name, privacy, updatedAt } = entry
      const required = requiredOf(delivered, entry)
      const isPlain = groups.length === 0 && required.length === 0
      // What is hidden of the changes of groups alone leaves the configuration that everyone gets as it is, and so its hash.
      const hidden = [...pathsIn(entry.resolution.hidden, [])]
      const shown = [groups, required, ...(hidden.length === 0 ? [] : [hidden])]
      const hash = isPlain ? entry.hash : delivery.digest(`evaluated:${entry.hash}${JSON.stringify(shown)}`)
      return yield* Effect.orDie(
        Schema.encode(EvaluatedConfiguration)({
          ...{ hash, configurationId: id, name, privacy, updatedAt },
          configuration: deliver(entry.resolution, assignments),
          experiments: assignments,
          requiredProperties: required
        })
      )
    })

    /**
     * The answer to a unit in these groups, and the one that it gets from then on, which tells of no first exposure. Both are written at once, so
     * that the unit need not be evaluated again.
     */
    const readyFor = Effect.fnUntraced(function* (asked: AskedEntry, assignments: ReadonlyArray<UnitAssignment>) {
      const { delivered, entry } = asked
      const now = clock.unsafeCurrentTimeMillis()
      const inGroups = numbers.of(assignments)
      let [exposed, isExposed] = ["", false]
      for (const { exposureProxyRecorded } of assignments) {
        exposed += exposureProxyRecorded ? "1" : "0"
        if (exposureProxyRecorded) isExposed = true
      }
      const laterShape = `unit ${entry.id} later ${inGroups}`
      const shape = isExposed ? `unit ${entry.id} ${exposed} ${inGroups}` : laterShape
      const find = (each: string) => written.find(written.keyOf(delivered, each), now)
      const next = find(laterShape)
      const ready = shape === laterShape ? next : find(shape)
      if (ready !== undefined && next !== undefined) return { ready, next }
      const answer = yield* answerTo(asked, assignments, assignments.map(groupOf))
      const later = { ...answer, experiments: answer.experiments.map(toldBefore) }
      return {
        ready: yield* written.of(
          delivered,
          shape,
          Effect.sync(() => readyOf(answer))
        ),
        next: yield* written.of(
          delivered,
          laterShape,
          Effect.sync(() => readyOf(later))
        )
      }
    })

    /** Evaluates these questions together: one read, one commit. Their answers are in their order. */
    const answerAll = Effect.fnUntraced(function* (all: ReadonlyArray<AskedEntry>) {
      const unchanged = new Map(
        all.map(({ delivered }) => [
          delivered,
          delivered.validity.and(versions.assignments(delivered.environmentId).validity())
        ])
      )
      const asking = all.map(({ question }) => unitsOf(question.unit, question.serverId))
      /** By question: called for each of its units whose first exposures are stored now; settles it with the last of them. */
      const settleLater: Array<() => void> = []
      const found = yield* evaluation.assignmentsForAll(
        all.flatMap(({ delivered: { environmentId }, entry: { id } }, at) =>
          (asking[at] ?? []).map((unit) => ({
            environmentId,
            configurationId: id,
            unit,
            onExposed: () => settleLater[at]?.()
          }))
        )
      )
      const answers: Array<Ready> = []
      let from = 0
      for (const [at, asked] of all.entries()) {
        const units = asking[at] ?? []
        const assignments = inOrder(found.slice(from, (from += units.length)).flat())
        const { ready, next } = yield* readyFor(asked, assignments)
        answers.push(ready)
        const { delivered, entry, question } = asked
        const validity = unchanged.get(delivered)
        if (validity === undefined || !isSettledIn(delivered, entry, units, assignments)) continue
        const settle = () => settledKeys.set(keyOf(delivered, question), next.key, validity)
        const waiting = assignments.filter(({ isExposureStored }) => !isExposureStored)
        if (waiting.length === 0) settle()
        else if (waiting.every(({ exposureProxyRecorded }) => exposureProxyRecorded)) {
          let left = new Set(waiting.map(({ unitType }) => unitType)).size
          settleLater[at] = () => (--left === 0 ? settle() : undefined)
        }
      }
      return answers
    })

    const together = yield* makeGroups({ most: assignmentsAtOnce, sizeOf: rowsOf, handle: answerAll })

    /**
     * The same as a written answer. While no experiment concerns the configuration, the answer's hash is that of the configuration.
     * Questions that come at the same time are answered together.
     */
    const answerFor = Effect.fnUntraced(function* (delivered: Delivered, question: FullUnitQuestion) {
      const entry = yield* find(delivered, question.name)
      const asked = { delivered, entry, question }
      if (!isSlow(delivered, entry)) return yield* together.ask(asked)
      return yield* Effect.orDie(Effect.flatMap(answerAll([asked]), Arr.head))
    })

    /**
     * The same for a caller without a fiber. False, and `settle` is never called, where the answer takes more than the question to be asked
     * with those of others.
     */
    const join = (
      place: DeliveredPlace,
      question: FullUnitQuestion,
      settle: (exit: Exit.Exit<Ready>) => void
    ): boolean => {
      const delivered = delivery.known(place.environmentId, place.audience, clock.unsafeCurrentTimeMillis())
      const entry = delivered === undefined ? undefined : named(delivered.configurations, question.name)
      if (delivered === undefined || entry === undefined || isSlow(delivered, entry)) return false
      together.join({ delivered, entry, question }, settle)
      return true
    }

    return { forUnit, writtenFor, answerFor, join, settled } as const
  })
}) {}
