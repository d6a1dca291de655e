import { KeptTexts } from "./KeptTexts.ts"
import type { Marker } from "./Marker.ts"
import { unheld } from "./Timer.ts"

/** What outlives the process or the page. A promise that rejects is told as a problem; the game goes on from memory. */
export interface Storage {
  /** Whether what it keeps ends with the process, so that a client that is closed loses what it could not send. */
  readonly isVolatile?: boolean
  /** The markers that were kept and not removed, oldest first. */
  readonly markers: () => Promise<ReadonlyArray<Marker>>
  /** Resolves once the markers outlive the process. */
  readonly keep: (markers: ReadonlyArray<Marker>) => Promise<void>
  readonly remove: (markerIds: ReadonlyArray<string>) => Promise<void>
  /** The text that was written under this name; null if none was, or if it had to go for later ones. */
  readonly read: (name: string) => Promise<string | null>
  readonly write: (name: string, text: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Keeps all markers, and the latest texts, for as long as the process lives. */
export const memoryStorage = (): Storage => {
  const markers = new Map<string, Marker>()
  const texts = new KeptTexts()
  return {
    isVolatile: true,
    markers: async () => [...markers.values()],
    keep: async (added) => added.forEach((marker) => markers.set(marker.markerId, marker)),
    remove: async (ids) => ids.forEach((id) => markers.delete(id)),
    read: async (name) => texts.get(name),
    write: async (name, text) => texts.set(name, text),
    close: async () => undefined
  }
}

const longestMillis = 10_000

/** The result of the work, or a rejection where it does not come, or where the work throws before it has a promise. */
const inTime = <Result>(work: () => Promise<Result>): Promise<Result> =>
  new Promise((done, failed) => {
    const giveUp = () => failed(new Error(`the storage has not answered within ${longestMillis} ms`))
    // Where a page was busy for long, its timers come before the answers of the storage: these have the second half.
    let timer = unheld(() => {
      timer = unheld(giveUp, longestMillis / 2)
    }, longestMillis / 2)
    void new Promise<Result>((begun) => begun(work())).then(done, failed).finally(() => clearTimeout(timer))
  })

/**
 * The storage, each of whose promises is settled within ten seconds. IndexedDB may never answer: that of Safari 14.1 did not in the first page
 * (https://bugs.webkit.org/show_bug.cgi?id=226547). The client waits for what it keeps before it sends it.
 */
export const answeringStorage = (storage: Storage): Storage => ({
  isVolatile: storage.isVolatile === true,
  markers: () => inTime(() => storage.markers()),
  keep: (markers) => inTime(() => storage.keep(markers)),
  remove: (markerIds) => inTime(() => storage.remove(markerIds)),
  read: (name) => inTime(() => storage.read(name)),
  write: (name, text) => inTime(() => storage.write(name, text)),
  close: () => inTime(() => storage.close())
})
