import { assert } from "@effect/vitest"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import type { CohortPlan } from "../../../src/domain/cohorts/CohortPlan.ts"
import { CohortId } from "../../../src/domain/Ids.ts"
import { cohortMembersMemory } from "../../../src/adapters/memory/cohorts/CohortMembers.ts"
import { StoredEnvironments } from "../../../src/adapters/memory/cohorts/CohortStay.ts"
import {
  type CohortQuestion,
  type MemberChange,
  packNames
} from "../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import { Effect } from "effect"
import type { Generation } from "../../../src/ports/cohorts/CohortMembers.ts"
import { origin } from "../analytics/PlanParts.ts"
import { done, idOf, type ScannedEnvironment } from "../analytics/ScannedEnvironment.ts"

export const cohortIds = [1, 2, 3].map((id) => CohortId.make(id))

/** The engine and the pure functions, given the same markers and the same cohorts. */
export class MemberStore {
  private readonly environment: ScannedEnvironment
  private readonly environments = new StoredEnvironments()
  private readonly members = cohortMembersMemory(this.environments)

  private hasErased = false

  constructor(environment: ScannedEnvironment) {
    this.environment = environment
  }

  append(events: ReadonlyArray<StoredEvent>): void {
    this.environment.send(events)
    const stored = this.environments.of(this.environment.id)
    for (const event of events) {
      const sequence = ++stored.highest
      stored.events.push(Object.assign({}, event, { sequence, markerId: idOf(sequence), receivedAt: origin }))
    }
  }

  seal(): void {
    this.environment.seal()
  }

  compact(): void {
    this.environment.compact()
  }

  reopen(): void {
    this.environment.reopen()
  }

  erase(unitId: string): void {
    this.hasErased = true
    done(this.environment.writer.erase(this.environment.id, [{ unitId, record: null }]))
    const stored = this.environments.of(this.environment.id)
    stored.events = stored.events.filter((event) => event.unitId !== unitId)
    for (const { stays } of stored.cohorts.values()) stays.delete(unitId)
  }

  recompute(cohortId: CohortId, plan: CohortPlan, now: number): void {
    const expected = Effect.runSync(this.members.recompute(this.environment.id, cohortId, plan, now))
    this.swap(cohortId, plan, now, expected)
  }

  replace(cohortId: CohortId, unitIds: ReadonlyArray<string>, now: number): void {
    const expected = Effect.runSync(this.members.replace(this.environment.id, cohortId, unitIds, now))
    this.swap(cohortId, packNames(unitIds), now, expected)
  }

  /** Begins to write new members and gets no further than `steps`; the next writer finds what is left of it. */
  interrupt(cohortId: CohortId, plan: CohortPlan, now: number, steps: number): void {
    const { answer } = this.environment.ask({ kind: "cohortChange", plan: { cohortId, wanted: plan, now } })
    const job = this.environment.writer.members.swap(this.environment.id, changeOf(answer))
    let isDone = false
    for (let step = 0; step < steps && !isDone; step++) isDone = job.next().done === true
    if (isDone) Effect.runSync(this.members.recompute(this.environment.id, cohortId, plan, now))
  }

  remove(cohortId: CohortId): void {
    done(this.environment.writer.members.remove(this.environment.id, cohortId))
    Effect.runSync(this.members.remove(this.environment.id, cohortId))
  }

  /** Whatever can be asked about members has the same answer in both, now and at the instants. */
  checkMembers(units: ReadonlyArray<string>, instants: ReadonlyArray<number>): void {
    const { members } = this
    for (const cohortId of cohortIds)
      for (const at of [null, ...instants]) {
        const pages = [null, units[0]!].map((after) => ({ at, after, limit: 3 }))
        for (const page of pages)
          this.same(
            { kind: "cohortMembers", plan: { cohortId, ...page } },
            members.members(this.environment.id, cohortId, page)
          )
        this.same({ kind: "cohortCount", plan: { cohortId, at } }, members.count(this.environment.id, cohortId, at))
        this.same(
          { kind: "cohortStays", plan: { cohortId, unitIds: units, at } },
          members.membership(this.environment.id, cohortId, units, at)
        )
      }
    for (const unitId of units)
      this.same({ kind: "cohortsOfUnit", plan: { unitId } }, members.ofUnit(this.environment.id, unitId))
  }

  checkEvaluation(plan: CohortPlan): void {
    const { count, sample } = Effect.runSync(this.members.evaluate(this.environment.id, plan, 3))
    assert.deepStrictEqual(this.environment.ask({ kind: "cohortUnits", plan: { plan, limit: 3 } }).answer, {
      count,
      sample
    })
  }

  private swap(cohortId: CohortId, wanted: CohortPlan | Uint8Array, now: number, expected: Generation): void {
    const { answer, meta } = this.environment.ask({ kind: "cohortChange", plan: { cohortId, wanted, now } })
    const change = changeOf(answer)
    assert.isTrue(done(this.environment.writer.members.swap(this.environment.id, change)))
    const { at, memberCount, entered, nameCount, left } = change
    assert.deepStrictEqual(
      [at, memberCount, entered.length + nameCount, left.length],
      [expected.at, expected.memberCount, expected.entered, expected.left]
    )
    if (!this.hasErased) assert.strictEqual(meta.highestSequence, expected.highestSequence)
  }

  private same(question: CohortQuestion, expected: Effect.Effect<unknown>): void {
    assert.deepStrictEqual(this.environment.ask(question).answer, Effect.runSync(expected), JSON.stringify(question))
  }
}

const changeOf = (answer: unknown): MemberChange => answer as MemberChange
