export type Theme = "system" | "light" | "dark"

const key = "gamekeeper-theme"

/** The theme that this browser was given, or the system's. */
export const storedTheme = (): Theme => {
  const stored = localStorage.getItem(key)
  return stored === "light" || stored === "dark" ? stored : "system"
}

/** Shows the theme without remembering it. */
export const applyTheme = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
}

/** Shows the theme and remembers it for the next visit. */
export const chooseTheme = (theme: Theme): void => {
  if (theme === "system") localStorage.removeItem(key)
  else localStorage.setItem(key, theme)
  applyTheme(theme)
}
