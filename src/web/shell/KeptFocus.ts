/** What may have the focus, but for fields: a key that was meant for the page would be typed into them. */
const focusable = 'a[href], button:not(:disabled), summary, [tabindex="0"]'

interface Place {
  readonly element: HTMLElement
  /** The page on which it had the focus. */
  readonly path: string
  /** What holds the element, from the inside out, and where in it the element stands. */
  readonly within: ReadonlyArray<{ readonly parent: Element; readonly index: number }>
}

const placeOf = (element: HTMLElement, main: HTMLElement): Place => {
  const within: Array<Place["within"][number]> = []
  for (let child: Element = element; child !== main && child.parentElement !== null; child = child.parentElement) {
    within.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) })
  }
  return { element, path: window.location.pathname, within }
}

const hasNone = (): boolean => document.activeElement === null || document.activeElement === document.body

/** Gives the focus to the first within it that takes it, if any does. */
const focusIn = (box: Element | null): boolean => {
  if (box === null) return false
  const found = [...(box.matches(focusable) ? [box] : []), ...box.querySelectorAll(focusable)]
  return found.some((each) => {
    if (each instanceof HTMLElement && each.checkVisibility()) each.focus({ preventScroll: true })
    return !hasNone()
  })
}

const giveBack = ({ element, path, within }: Place, main: HTMLElement): void => {
  if (path === window.location.pathname) {
    if (element.isConnected) return element.focus({ preventScroll: true })
    // The row that has taken the place of one that was deleted, or else what is left around it.
    const isTaken = within
      .filter(({ parent }) => parent.isConnected)
      .some(({ parent, index }) => focusIn(parent.children.item(Math.min(index, parent.children.length - 1))))
    if (isTaken) return
  }
  main.focus({ preventScroll: true })
}

/**
 * Keeps the focus on the page while what has it is taken away, as a row that is deleted by its button: a browser would let it go, and who uses
 * keys would begin at the top again. It goes to what stands in that place afterwards; on another page to the page itself. Who clicks on nothing
 * has given it up. Answers what ends it.
 */
export const keepFocus = (main: HTMLElement): (() => void) => {
  let last: Place | null = null
  /** The same within a dialog, which leaves the page as a whole. */
  let over: Place | null = null
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    const dialog = target.closest("dialog")
    over = dialog === null ? null : placeOf(target, dialog)
    if (dialog === null) last = main.contains(target) && target !== main ? placeOf(target, main) : null
  }
  const onPress = ({ target }: Event) => {
    // What has the focus already is not focused by a press, so it would be forgotten for good.
    if (target instanceof Element && target.closest(focusable) === document.activeElement) return
    const dialog = target instanceof Element ? target.closest("dialog") : null
    if (dialog === null) last = null
    over = null
  }
  const observer = new MutationObserver(() => {
    if (!hasNone()) return
    const dialog = [...document.querySelectorAll("dialog:modal")].at(-1)
    if (dialog instanceof HTMLElement) {
      if (over !== null && dialog.contains(over.within.at(-1)?.parent ?? null)) giveBack(over, dialog)
    } else if (last !== null) giveBack(last, main)
  })
  document.addEventListener("focusin", onFocus)
  document.addEventListener("pointerdown", onPress, true)
  observer.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] })
  return () => {
    document.removeEventListener("focusin", onFocus)
    document.removeEventListener("pointerdown", onPress, true)
    observer.disconnect()
  }
}
