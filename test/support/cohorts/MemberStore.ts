import { assert } from "@effect/vitest"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import type { CohortPlan } from "../../../src/domain/cohorts/CohortPlan.ts"
import { CohortId } from "../../../src/domain/Ids.ts"
import { cohortMembersMemory } from "../../../src/adapters/memory/cohorts/CohortMembers.ts"
import { StoredEnvironments } from "../../../src/adapters/memory/cohorts/CohortStay.ts"
import {
  type CohortQuestion,
  type MemberChange,
  packNames,
  type StoreQuestion
} from "../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import { Control } from "../../../src/adapters/sqlite/events/read/Control.ts"
import { encodeFrame } from "../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Effect } from "effect"
import type { Generation } from "../../../src/ports/cohorts/CohortMembers.ts"
import { origin } from "../analytics/PlanParts.ts"
import type { SharedEnvironment } from "../analytics/SharedStores.ts"

const uuid = (sequence: number) => `00000000-0000-4000-8000-${String(sequence).padStart(12, "0")}`

const run = <A>(job: Generator<void, A>): A => {
  for (let step = job.next(); ; step = job.next()) if (step.done === true) return step.value
}

export const cohortIds = [1, 2, 3].map((id) => CohortId.make(id))

/** The engine and the pure functions, given the same markers and the same cohorts. */
export class MemberStore {
  private readonly store: SharedEnvironment["store"]
  private readonly environmentId: number
  private readonly environments = new StoredEnvironments()
  private readonly members = cohortMembersMemory(this.environments)

  private hasErased = false

  constructor({ store, environmentId }: SharedEnvironment) {
    this.store = store
    this.environmentId = environmentId
  }

  append(events: ReadonlyArray<StoredEvent>): void {
    const environment = this.environments.of(this.environmentId)
    const stored = events.map((event, at) => {
      const sequence = environment.highest + at + 1
      return Object.assign({}, event, { sequence, markerId: uuid(sequence), receivedAt: origin })
    })
    if (stored.length > 0)
      this.store.writer.commit([{ environmentId: this.environmentId, frame: encodeFrame(origin, stored) }])
    environment.events.push(...stored)
    environment.highest += stored.length
  }

  seal(): void {
    run(this.store.writer.seal())
  }

  compact(): void {
    run(this.store.writer.compact())
  }

  reopen(): void {
    this.store.reopen()
  }

  erase(unitId: string): void {
    this.hasErased = true
    run(this.store.writer.erase(this.environmentId, [{ unitId, record: null }]))
    const stored = this.environments.of(this.environmentId)
    stored.events = stored.events.filter((event) => event.unitId !== unitId)
    for (const { stays } of stored.cohorts.values()) stays.delete(unitId)
  }

  recompute(cohortId: CohortId, plan: CohortPlan, now: number): void {
    const expected = Effect.runSync(this.members.recompute(this.environmentId, cohortId, plan, now))
    this.swap(cohortId, plan, now, expected)
  }

  replace(cohortId: CohortId, unitIds: ReadonlyArray<string>, now: number): void {
    const expected = Effect.runSync(this.members.replace(this.environmentId, cohortId, unitIds, now))
    this.swap(cohortId, packNames(unitIds), now, expected)
  }

  /** Begins to write new members and gets no further than `steps`; the next writer finds what is left of it. */
  interrupt(cohortId: CohortId, plan: CohortPlan, now: number, steps: number): void {
    const { answer } = this.ask({ kind: "cohortChange", plan: { cohortId, wanted: plan, now } })
    const job = this.store.writer.members.swap(this.environmentId, changeOf(answer))
    let isDone = false
    for (let step = 0; step < steps && !isDone; step++) isDone = job.next().done === true
    if (isDone) Effect.runSync(this.members.recompute(this.environmentId, cohortId, plan, now))
  }

  remove(cohortId: CohortId): void {
    run(this.store.writer.members.remove(this.environmentId, cohortId))
    Effect.runSync(this.members.remove(this.environmentId, cohortId))
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
            members.members(this.environmentId, cohortId, page)
          )
        this.same({ kind: "cohortCount", plan: { cohortId, at } }, members.count(this.environmentId, cohortId, at))
        this.same(
          { kind: "cohortStays", plan: { cohortId, unitIds: units, at } },
          members.membership(this.environmentId, cohortId, units, at)
        )
      }
    for (const unitId of units)
      this.same({ kind: "cohortsOfUnit", plan: { unitId } }, members.ofUnit(this.environmentId, unitId))
  }

  checkEvaluation(plan: CohortPlan): void {
    const { count, sample } = Effect.runSync(this.members.evaluate(this.environmentId, plan, 3))
    assert.deepStrictEqual(this.ask({ kind: "cohortUnits", plan: { plan, limit: 3 } }).answer, { count, sample })
  }

  private ask(question: StoreQuestion) {
    const reply = this.store.reader.reply({
      type: "ask",
      id: 1,
      environmentId: this.environmentId,
      question,
      control: new Control().shared
    })
    assert(reply.type === "answer", JSON.stringify(reply))
    return reply
  }

  private swap(cohortId: CohortId, wanted: CohortPlan | Uint8Array, now: number, expected: Generation): void {
    const { answer, meta } = this.ask({ kind: "cohortChange", plan: { cohortId, wanted, now } })
    const change = changeOf(answer)
    assert.isTrue(run(this.store.writer.members.swap(this.environmentId, change)))
    const { at, memberCount, entered, nameCount, left } = change
    assert.deepStrictEqual(
      [at, memberCount, entered.length + nameCount, left.length],
      [expected.at, expected.memberCount, expected.entered, expected.left]
    )
    if (!this.hasErased) assert.strictEqual(meta.highestSequence, expected.highestSequence)
  }

  private same(question: CohortQuestion, expected: Effect.Effect<unknown>): void {
    assert.deepStrictEqual(this.ask(question).answer, Effect.runSync(expected), JSON.stringify(question))
  }
}

const changeOf = (answer: unknown): MemberChange => answer as MemberChange
