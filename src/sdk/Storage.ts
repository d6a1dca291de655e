import type { Marker } from "./Marker.ts"

/** What outlives the process or the page. A promise that rejects is told as a problem; the game goes on from memory. */
export interface Storage {
  /** Whether what it keeps ends with the process, so that a client that is closed loses what it could not send. */
  readonly isVolatile?: boolean
  /** The markers that were kept and not removed, oldest first. */
  readonly markers: () => Promise<ReadonlyArray<Marker>>
  /** Resolves once the markers outlive the process. */
  readonly keep: (markers: ReadonlyArray<Marker>) => Promise<void>
  readonly remove: (markerIds: ReadonlyArray<string>) => Promise<void>
  /** The text that was written under this name; null if none was. */
  readonly read: (name: string) => Promise<string | null>
  readonly write: (name: string, text: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** Keeps everything for as long as the process lives. */
export const memoryStorage = (): Storage => {
  const markers = new Map<string, Marker>()
  const texts = new Map<string, string>()
  return {
    isVolatile: true,
    markers: async () => [...markers.values()],
    keep: async (added) => added.forEach((marker) => markers.set(marker.markerId, marker)),
    remove: async (ids) => ids.forEach((id) => markers.delete(id)),
    read: async (name) => texts.get(name) ?? null,
    write: async (name, text) => void texts.set(name, text),
    close: async () => undefined
  }
}
