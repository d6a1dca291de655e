import { useId, useState } from "react"
import { useEscape } from "./Keys.ts"
import { properties } from "./properties.ts"

/** Pixels between a reason and its control, and between it and the sides of the window. */
const gap = 6
const margin = 8

/** A reference that places a reason below the element before it, or above it where the window ends. */
const besideItsControl = (reason: HTMLElement | null) => {
  if (!(reason?.previousElementSibling instanceof HTMLElement)) return
  const { left, top, bottom } = reason.previousElementSibling.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = reason
  const x = Math.max(margin, Math.min(left, window.innerWidth - offsetWidth - margin))
  const isCut = bottom + gap + offsetHeight > window.innerHeight - margin
  const y = isCut ? Math.max(margin, top - gap - offsetHeight) : bottom + gap
  properties({ "--x": `${x}px`, "--y": `${y}px` })(reason)
}

/**
 * What makes a control say why it cannot be used to whoever reaches it: keys, a pointer or a finger. A reason that comes while the control
 * has the focus is shown, unless a click on it made it. After a click on the denied control the reason stays while the pointer goes
 * elsewhere, as it has to of whoever enlarges the screen, until the focus leaves or Escape is pressed.
 */
export const useDenied = (denied: string | null) => {
  const [isFocused, setFocused] = useState(false)
  const [isPointed, setPointed] = useState(false)
  const isReached = isFocused || isPointed
  const id = useId()
  const isDenied = denied !== null
  useEscape(isReached && isDenied, () => {
    setFocused(false)
    setPointed(false)
  })
  return {
    /** What hears of keys, pointers and fingers: the control, or the label around it. */
    reach: {
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false)
    },
    /** The control was clicked, denied or not. */
    press: (control: HTMLElement) => {
      // Safari gives no button the focus by a click, and tells then of no end of it either.
      if (isDenied) control.focus()
      setFocused(isDenied)
      setPointed(isDenied && isPointed)
    },
    /** The id of the reason, by which the control is described. */
    describedBy: isDenied ? id : undefined,
    /** The reason. It stands right behind what is reached. */
    why: isDenied && (
      <span id={id} className={isReached ? "denied-why" : "unseen"} ref={isReached ? besideItsControl : undefined}>
        {denied}
      </span>
    )
  } as const
}
