import { assert } from "@effect/vitest"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import {
  type MemberChange,
  packNames,
  type StoreQuestion
} from "../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import { encodeFrame } from "../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Control } from "../../../src/adapters/sqlite/events/read/Control.ts"
import { origin } from "./PlanParts.ts"
import type { SharedEnvironment } from "./SharedStores.ts"

const uuid = (sequence: number) => `00000000-0000-4000-8000-${String(sequence).padStart(12, "0")}`

const run = (job: Generator<void, unknown>) => {
  while (job.next().done !== true);
}

/** What is done in an environment by who writes it, and what it answers. */
export class ScannedEnvironment {
  private readonly store: SharedEnvironment["store"]
  private readonly environmentId: number
  private sent = 0

  constructor({ store, environmentId }: SharedEnvironment) {
    this.store = store
    this.environmentId = environmentId
  }

  send(markers: ReadonlyArray<StoredEvent>): void {
    const { environmentId, sent } = this
    const part = markers.map((event, at) => Object.assign({}, event, { markerId: uuid(sent + at + 1) }))
    if (part.length > 0) this.store.writer.commit([{ environmentId, frame: encodeFrame(origin, part) }])
    this.sent += part.length
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

  /** Gives the cohorts 1, 2, … these members. */
  settle(cohorts: ReadonlyArray<ReadonlyArray<string>>): void {
    for (const [at, unitIds] of cohorts.entries()) {
      const plan = { cohortId: at + 1, wanted: packNames(unitIds), now: origin }
      const change = this.ask({ kind: "cohortChange", plan }) as MemberChange
      run(this.store.writer.members.swap(this.environmentId, change))
    }
  }

  ask(question: StoreQuestion): unknown {
    const { environmentId, store } = this
    const control = new Control().shared
    const reply = store.reader.reply({ type: "ask", id: 1, environmentId, question, control })
    assert(reply.type === "answer", JSON.stringify(reply))
    return reply.answer
  }
}
