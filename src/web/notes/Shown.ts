import { useSyncExternalStore } from "react"
import { readStored, writeStored } from "../ui/Stored.ts"

const settingKey = "gamekeeper-notes"

const listeners = new Set<() => void>()

const areShown = (): boolean => readStored("localStorage", settingKey) !== "off"

/** Shows or hides the notes of all charts of this browser. */
export const showNotes = (on: boolean): void => {
  writeStored("localStorage", settingKey, on ? null : "off")
  for (const listener of listeners) listener()
}

export const useAreNotesShown = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, areShown)
