import type { Db } from "../../../src/adapters/sqlite/events/file/Db.ts"
import { openForWriting } from "../../../src/adapters/sqlite/events/file/EventsDb.ts"
import { Reader } from "../../../src/adapters/sqlite/events/threads/Reader.ts"
import { Writer } from "../../../src/adapters/sqlite/events/write/Writer.ts"

const options = { dedupeDays: 7, ownSegmentRows: 4, sealAt: 65_536 }
const cache = { cacheBytes: 4000 }

/** An event file in memory, with who writes and reads it. */
class SharedStore {
  readonly db: Db = openForWriting(":memory:")
  readonly writer = new Writer(this.db, options)
  reader = new Reader(this.db, cache)

  /** Has its reader forget what it knows of the file. */
  reopen(): void {
    this.reader = new Reader(this.db, cache)
  }
}

/** An environment of a store, which may have others with markers of their own. */
export interface SharedEnvironment {
  readonly store: SharedStore
  readonly environmentId: number
}

/** To open a store for each run of a property took as long as everything else it did. */
const environmentsOfStore = 20

/** Empty environments of stores that several runs of a property share. */
export class SharedStores {
  private store: SharedStore | null = null
  private used = 0

  /** Lets a run do its work in an empty environment. A store in which one has failed is used by no other. */
  async use(work: (environment: SharedEnvironment) => void | Promise<void>): Promise<void> {
    const store = this.store ?? new SharedStore()
    this.store = null
    this.used += 1
    await work({ store, environmentId: this.used })
    if (this.used % environmentsOfStore === 0) store.db.close()
    else this.store = store
  }

  close(): void {
    this.store?.db.close()
  }
}
