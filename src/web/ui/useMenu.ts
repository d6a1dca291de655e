import type { KeyboardEvent } from "react"
import { useCallback, useEffect, useRef, useState } from "react"

/** Pixels that a menu keeps from the sides of the window. */
const margin = 8

/** Moves the body of a menu as far as it would be cut off by a side of the window. */
const keepInWindow = (body: HTMLElement): void => {
  body.style.removeProperty("--shift")
  const { left, right } = body.getBoundingClientRect()
  const beyond = Math.max(0, right - (document.documentElement.clientWidth - margin))
  body.style.setProperty("--shift", `${Math.max(margin - left, -beyond)}px`)
}

/**
 * What makes a `details` element of the class `menu` a menu: Esc closes it and gives the focus back to its button, and so does
 * a choice by `close`; whoever presses or goes to something else closes it too, unless `stays`: settings of what is shown beside them.
 */
export const useMenu = ({ stays = false } = {}) => {
  const details = useRef<HTMLDetailsElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = useCallback(() => {
    details.current?.removeAttribute("open")
    details.current?.querySelector("summary")?.focus()
  }, [])
  useEffect(() => {
    if (!isOpen) return
    const onElsewhere = ({ target }: Event) => {
      if (!stays && target instanceof Node && details.current?.contains(target) === false)
        details.current.removeAttribute("open")
    }
    document.addEventListener("pointerdown", onElsewhere)
    document.addEventListener("focusin", onElsewhere)
    // What is in it may come later than it, and make it wider; the window may become narrower.
    const body = details.current?.querySelector<HTMLElement>(".menu-body") ?? null
    const observer = new ResizeObserver(() => body !== null && keepInWindow(body))
    for (const each of [body, document.documentElement]) if (each !== null) observer.observe(each)
    return () => {
      observer.disconnect()
      document.removeEventListener("pointerdown", onElsewhere)
      document.removeEventListener("focusin", onElsewhere)
    }
  }, [isOpen, stays])
  const onToggle = () => setOpen(details.current?.open === true)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isOpen) return
    // What lies around the menu, such as the rail on a phone, stays open.
    event.preventDefault()
    close()
  }
  return { isOpen, close, menu: { ref: details, onToggle, onKeyDown } }
}
