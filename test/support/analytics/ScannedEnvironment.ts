import { assert } from "@effect/vitest"
import type { StoredEvent } from "../../../src/domain/analytics/markers/Event.ts"
import {
  type MemberChange,
  packNames,
  type StoreQuestion
} from "../../../src/adapters/sqlite/events/cohorts/CohortQuestion.ts"
import { openForWriting } from "../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { encodeFrame } from "../../../src/adapters/sqlite/events/format/FrameEncoder.ts"
import { Control } from "../../../src/adapters/sqlite/events/read/Control.ts"
import { Reader } from "../../../src/adapters/sqlite/events/threads/Reader.ts"
import { Writer } from "../../../src/adapters/sqlite/events/write/Writer.ts"
import { origin } from "./PlanParts.ts"

/** Small enough for worlds of a few markers to have several segments, and for a cache to lose what it knows. */
const small = { ownSegmentRows: 4, cacheBytes: 4000 }

type Sizes = typeof small

/** The marker that is stored with the sequence has this id. */
export const idOf = (sequence: number) => `00000000-0000-4000-8000-${String(sequence).padStart(12, "0")}`

/** Does a job of the writer to its end. */
export const done = <A>(job: Generator<void, A>): A => {
  for (let step = job.next(); ; step = job.next()) if (step.done === true) return step.value
}

/** An event file in memory, with who writes and reads it. */
class Store {
  readonly db = openForWriting(":memory:")
  readonly writer: Writer
  private readonly sizes: Sizes
  reader: Reader

  constructor(sizes: Sizes) {
    this.sizes = sizes
    this.writer = new Writer(this.db, { dedupeDays: 7, ownSegmentRows: sizes.ownSegmentRows, sealAt: 65_536 })
    this.reader = new Reader(this.db, sizes)
  }

  /** Has another reader go on, which knows nothing of the file. */
  reopen(): void {
    this.reader = new Reader(this.db, this.sizes)
  }
}

/** An environment of a store, which may have others with markers of their own. */
export class ScannedEnvironment {
  readonly id: number
  private readonly store: Store
  private sent = 0

  constructor(store: Store, id: number) {
    this.store = store
    this.id = id
  }

  get writer(): Writer {
    return this.store.writer
  }

  send(markers: ReadonlyArray<StoredEvent>): void {
    const part = markers.map((event, at) => Object.assign({}, event, { markerId: idOf(this.sent + at + 1) }))
    if (part.length > 0) this.writer.commit([{ environmentId: this.id, frame: encodeFrame(origin, part) }])
    this.sent += part.length
  }

  seal(): void {
    done(this.writer.seal())
  }

  compact(): void {
    done(this.writer.compact())
  }

  /** Has the reader forget what it knows of the file. */
  reopen(): void {
    this.store.reopen()
  }

  /** Gives the cohorts 1, 2, … these members. */
  settle(cohorts: ReadonlyArray<ReadonlyArray<string>>): void {
    for (const [at, unitIds] of cohorts.entries()) {
      const plan = { cohortId: at + 1, wanted: packNames(unitIds), now: origin }
      const change = this.ask({ kind: "cohortChange", plan }).answer as MemberChange
      done(this.writer.members.swap(this.id, change))
    }
  }

  ask(question: StoreQuestion) {
    const control = new Control().shared
    const reply = this.store.reader.reply({ type: "ask", id: 1, environmentId: this.id, question, control })
    assert(reply.type === "answer", JSON.stringify(reply))
    return reply
  }
}

/** To open a store for each run of a property took as long as everything else it did. */
const environmentsOfStore = 20

/** Empty environments of stores that several runs of a property share. */
export class ScannedEnvironments {
  private store: Store | null = null
  private used = 0
  private readonly sizes: Sizes

  constructor(sizes: Sizes = small) {
    this.sizes = sizes
  }

  /** Lets a run do its work in an empty environment. A store in which one has failed is used by no other. */
  async use(work: (environment: ScannedEnvironment) => void | Promise<void>): Promise<void> {
    const store = this.store ?? new Store(this.sizes)
    this.store = null
    this.used += 1
    await work(new ScannedEnvironment(store, this.used))
    if (this.used % environmentsOfStore === 0) store.db.close()
    else this.store = store
  }

  close(): void {
    this.store?.db.close()
  }
}
