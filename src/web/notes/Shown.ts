import { useSyncExternalStore } from "react"

const settingKey = "gamekeeper-notes"

const listeners = new Set<() => void>()

const areShown = (): boolean => localStorage.getItem(settingKey) !== "off"

/** Shows or hides the notes of all charts of this browser. */
export const showNotes = (on: boolean): void => {
  if (on) localStorage.removeItem(settingKey)
  else localStorage.setItem(settingKey, "off")
  for (const listener of listeners) listener()
}

export const useAreNotesShown = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, areShown)
