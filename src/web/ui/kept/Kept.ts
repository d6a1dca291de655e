import { readStored, writeStored } from "../Stored.ts"

/** How what somebody types is kept in this browser. */
export interface Shape<T> {
  /** Raised where the page can make nothing any more of what an earlier version of it kept. */
  readonly version: number
  /** What was kept, as the page takes it today; null where it is no such thing. */
  readonly read: (kept: T) => T | null
}

/** What this tab has kept since it was loaded. It holds what the browser has no room for, and what another tab keeps stays apart from it. */
const ofThisTab = new Map<string, string>()

/** What was kept under a key; null where nothing was, or nothing that is read today. */
export const kept = <T>(key: string, { version, read }: Shape<T>): T | null => {
  try {
    const found = JSON.parse(ofThisTab.get(key) ?? readStored("localStorage", key) ?? "null")
    return found?.version === version ? read(found.draft) : null
  } catch {
    return null
  }
}

export const forget = (key: string): void => {
  ofThisTab.delete(key)
  writeStored("localStorage", key, null)
}

/** Keeps something until it is forgotten. False where the browser has no room for it: then it is gone when the tab is closed or reloaded. */
export const keep = <T>(key: string, { version }: Shape<T>, draft: T): boolean => {
  const text = JSON.stringify({ version, draft })
  ofThisTab.set(key, text)
  if (writeStored("localStorage", key, text)) return true
  // An older state of the draft would come back in its place.
  writeStored("localStorage", key, null)
  return false
}
