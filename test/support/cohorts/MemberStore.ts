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
import type { Db } from "../../../src/adapters/sqlite/events/file/Db.ts"
import { openForWriting } from "../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Reader } from "../../../src/adapters/sqlite/events/threads/Reader.ts"
import { Writer } from "../../../src/adapters/sqlite/events/write/Writer.ts"
import { Effect } from "effect"
import type { Generation } from "../../../src/ports/cohorts/CohortMembers.ts"
import { origin } from "../analytics/PlanParts.ts"

const environmentId = 1
const uuid = (sequence: number) => `00000000-0000-4000-8000-${String(sequence).padStart(12, "0")}`
const options = { dedupeDays: 7, ownSegmentRows: 4, sealAt: 65_536 }
const cache = { cacheBytes: 4000 }

const run = <A>(job: Generator<void, A>): A => {
  for (let step = job.next(); ; step = job.next()) if (step.done === true) return step.value
}

export const cohortIds = [1, 2, 3].map((id) => CohortId.make(id))

/** The engine and the pure functions, given the same markers and the same cohorts. */
export class MemberStore {
  private readonly db: Db
  private readonly writer: Writer
  private reader: Reader
  private readonly environments = new StoredEnvironments()
  private readonly members = cohortMembersMemory(this.environments)

  private hasErased = false

  constructor() {
    this.db = openForWriting(":memory:")
    this.writer = new Writer(this.db, options)
    this.reader = new Reader(this.db, cache)
  }

  append(events: ReadonlyArray<StoredEvent>): void {
    const environment = this.environments.of(environmentId)
    const stored = events.map((event, at) => {
      const sequence = environment.highest + at + 1
      return Object.assign({}, event, { sequence, markerId: uuid(sequence), receivedAt: origin })
    })
    if (stored.length > 0) this.writer.commit([{ environmentId, frame: encodeFrame(origin, stored) }])
    environment.events.push(...stored)
    environment.highest += stored.length
  }

  seal(): void {
    run(this.writer.seal())
  }

  compact(): void {
    run(this.writer.compact())
  }

  reopen(): void {
    this.reader = new Reader(this.db, cache)
  }

  erase(unitId: string): void {
    this.hasErased = true
    run(this.writer.erase(environmentId, [{ unitId, record: null }]))
    const stored = this.environments.of(environmentId)
    stored.events = stored.events.filter((event) => event.unitId !== unitId)
    for (const { stays } of stored.cohorts.values()) stays.delete(unitId)
  }

  recompute(cohortId: CohortId, plan: CohortPlan, now: number): void {
    const expected = Effect.runSync(this.members.recompute(environmentId, cohortId, plan, now))
    this.swap(cohortId, plan, now, expected)
  }

  replace(cohortId: CohortId, unitIds: ReadonlyArray<string>, now: number): void {
    const expected = Effect.runSync(this.members.replace(environmentId, cohortId, unitIds, now))
    this.swap(cohortId, packNames(unitIds), now, expected)
  }

  /** Begins to write new members and gets no further than `steps`; the next writer finds what is left of it. */
  interrupt(cohortId: CohortId, plan: CohortPlan, now: number, steps: number): void {
    const { answer } = this.ask({ kind: "cohortChange", plan: { cohortId, wanted: plan, now } })
    const job = this.writer.members.swap(environmentId, changeOf(answer))
    let isDone = false
    for (let step = 0; step < steps && !isDone; step++) isDone = job.next().done === true
    if (isDone) Effect.runSync(this.members.recompute(environmentId, cohortId, plan, now))
  }

  remove(cohortId: CohortId): void {
    run(this.writer.members.remove(environmentId, cohortId))
    Effect.runSync(this.members.remove(environmentId, cohortId))
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
            members.members(environmentId, cohortId, page)
          )
        this.same({ kind: "cohortCount", plan: { cohortId, at } }, members.count(environmentId, cohortId, at))
        this.same(
          { kind: "cohortStays", plan: { cohortId, unitIds: units, at } },
          members.membership(environmentId, cohortId, units, at)
        )
      }
    for (const unitId of units)
      this.same({ kind: "cohortsOfUnit", plan: { unitId } }, members.ofUnit(environmentId, unitId))
  }

  checkEvaluation(plan: CohortPlan): void {
    const { count, sample } = Effect.runSync(this.members.evaluate(environmentId, plan, 3))
    assert.deepStrictEqual(this.ask({ kind: "cohortUnits", plan: { plan, limit: 3 } }).answer, { count, sample })
  }

  close(): void {
    this.db.close()
  }

  private ask(question: StoreQuestion) {
    const reply = this.reader.reply({ type: "ask", id: 1, environmentId, question, control: new Control().shared })
    assert(reply.type === "answer", JSON.stringify(reply))
    return reply
  }

  private swap(cohortId: CohortId, wanted: CohortPlan | Uint8Array, now: number, expected: Generation): void {
    const { answer, meta } = this.ask({ kind: "cohortChange", plan: { cohortId, wanted, now } })
    const change = changeOf(answer)
    assert.isTrue(run(this.writer.members.swap(environmentId, change)))
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
