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

const options = { dedupeDays: 7, ownSegmentRows: 4, sealAt: 65_536 }
const cache = { cacheBytes: 4000 }
const uuid = (sequence: number) => `00000000-0000-4000-8000-${String(sequence).padStart(12, "0")}`

const run = (job: Generator<void, unknown>) => {
  while (job.next().done !== true);
}

interface Store {
  readonly db: ReturnType<typeof openForWriting>
  readonly writer: Writer
  reader: Reader
}

const openStore = (): Store => {
  const db = openForWriting(":memory:")
  return { db, writer: new Writer(db, options), reader: new Reader(db, cache) }
}

/** An environment of a store, which may have others with markers of their own. */
export class ScannedEnvironment {
  private readonly store: Store
  private readonly environmentId: number
  private sent = 0

  constructor(store: Store, environmentId: number) {
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
    this.store.reader = new Reader(this.store.db, cache)
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

/** To open a store for each run of a property took as long as everything else it did. */
const environmentsOfStore = 20

/** Empty environments of stores that several runs share. */
export class ScannedEnvironments {
  private store: Store | null = null
  private used = 0

  /** Lets a run do its work in an empty environment. A store in which one has failed is used by no other. */
  async use(work: (environment: ScannedEnvironment) => void | Promise<void>): Promise<void> {
    const store = this.store ?? openStore()
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
