import { useEffect, useSyncExternalStore } from "react"
import { isPaletteKey } from "../ui/Keys.ts"
import { readStored, writeStored } from "../ui/Stored.ts"
import { type Shortcut, shortcutOf } from "./ShortcutKeys.ts"

/** Milliseconds in which the second key of two must follow. */
const patience = 1200

const settingKey = "gamekeeper-keys"

const added = new Set<ReadonlyArray<Shortcut>>()

/** All shortcuts of what is on the screen now, those of the page after those of every page. */
export const presentShortcuts = (): ReadonlyArray<Shortcut> => [...added].flat()

/** Adds shortcuts for as long as what adds them is on the screen. */
export const useShortcuts = (shortcuts: ReadonlyArray<Shortcut>): void =>
  useEffect(() => {
    added.add(shortcuts)
    return () => void added.delete(shortcuts)
  }, [shortcuts])

const listeners = new Set<() => void>()

/** Whether single keys do something. Who speaks to the browser, or hits keys by accident, can switch them off. */
export const hasShortcuts = (): boolean => readStored("localStorage", settingKey) !== "off"

export const switchShortcuts = (on: boolean): void => {
  writeStored("localStorage", settingKey, on ? null : "off")
  for (const listener of listeners) listener()
}

export const useHasShortcuts = (): boolean =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, hasShortcuts)

/** Fields and lists take keys for themselves, also where they stand in a shadow root. */
const takesKeys = (target: EventTarget | undefined): boolean =>
  target instanceof Element &&
  target.closest("input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=listbox], dialog") !==
    null

/** Listens to keys until the answer is called. `onPalette` is Ctrl-K or ⌘-K. */
export const listenToKeys = (onPalette: () => void): (() => void) => {
  let before = ""
  let at = 0
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    if (isPaletteKey(event)) {
      event.preventDefault()
      onPalette()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || !hasShortcuts() || takesKeys(event.composedPath()[0])) return
    const found = shortcutOf(presentShortcuts(), event.timeStamp - at < patience ? before : "", event.key)
    before = found === undefined ? event.key : ""
    at = event.timeStamp
    if (found === undefined) return
    event.preventDefault()
    found.run()
  }
  window.addEventListener("keydown", onKeyDown)
  return () => window.removeEventListener("keydown", onKeyDown)
}
