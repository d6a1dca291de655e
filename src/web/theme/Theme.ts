import { readStored, writeStored } from "../ui/Stored.ts"

export type Theme = "system" | "light" | "dark"

const key = "gamekeeper-theme"
const changed = "gamekeeper-theme"

const systemDark = matchMedia("(prefers-color-scheme: dark)")

/** The theme that this browser was given, or the system's. */
export const storedTheme = (): Theme => {
  const stored = readStored("localStorage", key)
  return stored === "light" || stored === "dark" ? stored : "system"
}

/** Shows the theme without remembering it. */
const applyTheme = (theme: Theme): void => {
  const isDark = theme === "system" ? systemDark.matches : theme === "dark"
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light"
}

/** Whether the page is dark now. */
export const isDark = (): boolean => document.documentElement.dataset["theme"] === "dark"

/** Hears of another choice, wherever on the page it is made, until the answer is called. */
export const onTheme = (listener: () => void): (() => void) => {
  document.addEventListener(changed, listener)
  return () => document.removeEventListener(changed, listener)
}

/** Shows the theme of this browser now, and the system's whenever that changes, unless another one was chosen. */
export const followTheme = (): void => {
  applyTheme(storedTheme())
  systemDark.addEventListener("change", () => applyTheme(storedTheme()))
}

/** Shows the theme and remembers it for the next visit. */
export const chooseTheme = (theme: Theme): void => {
  writeStored("localStorage", key, theme === "system" ? null : theme)
  applyTheme(theme)
  document.dispatchEvent(new Event(changed))
}
