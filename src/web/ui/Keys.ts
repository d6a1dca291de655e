import { useEffect, useRef } from "react"

/** What a pressed key means; undefined where it means nothing, or stands in a command of the browser, as Alt and the left arrow, which go back. */
export const meaningOf = <Meaning>(
  meanings: Readonly<Record<string, Meaning>>,
  { key, altKey, ctrlKey, metaKey }: Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey">
): Meaning | undefined => (altKey || ctrlKey || metaKey ? undefined : meanings[key])

/** Ctrl-K or ⌘-K, which opens the palette wherever the focus is. */
export const isPaletteKey = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k"

/**
 * Escape closes what a pointer has opened, such as a tip, wherever the focus is: who points at something need not have it there. What lies
 * beneath, such as a dialog or a presentation, stays until the key is pressed again.
 */
export const useEscape = (isOpen: boolean, close: () => void): void => {
  const closing = useRef(close)
  useEffect(() => {
    closing.current = close
  })
  useEffect(() => {
    if (!isOpen) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return
      event.preventDefault()
      closing.current()
    }
    document.addEventListener("keydown", onKey, true)
    return () => document.removeEventListener("keydown", onKey, true)
  }, [isOpen])
}
