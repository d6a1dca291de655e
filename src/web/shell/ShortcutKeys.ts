/** A key, or two one after the other (`g i`), that does something wherever the focus is. */
export interface Shortcut {
  readonly keys: string
  readonly words: string
  readonly run: () => void
}

/** The shortcut that a key finishes, given the key before it where that was a moment ago. */
export const shortcutOf = (shortcuts: ReadonlyArray<Shortcut>, before: string, key: string): Shortcut | undefined =>
  shortcuts.findLast(({ keys }) => keys === `${before} ${key}`) ?? shortcuts.findLast(({ keys }) => keys === key)
