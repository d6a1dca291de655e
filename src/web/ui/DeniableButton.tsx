import type { ReactNode } from "react"
import { useId, useState } from "react"
import { isRepeated } from "./DoubleClick.ts"
import { useEscape } from "./Keys.ts"
import { properties } from "./properties.ts"

interface Props {
  /** Why it cannot be used; null where it can. */
  readonly denied: string | null
  /** Left out where it is never used: what can be used there is a link. */
  readonly onClick?: () => void
  readonly children: ReactNode
  /** Classes beside `button`. */
  readonly look?: string
  /** What it does, where its words alone do not say what with: "Revoke Roblox client". */
  readonly label?: string
  /** More about it, where it can be used. */
  readonly tip?: string
  readonly isPressed?: boolean
  readonly isBusy?: boolean
}

/** Pixels between a reason and its button, and between it and the sides of the window. */
const gap = 6
const margin = 8

/** A reference that places a reason below the button before it, or above it where the window ends. */
const besideItsButton = (reason: HTMLElement | null) => {
  if (!(reason?.previousElementSibling instanceof HTMLElement)) return
  const { left, top, bottom } = reason.previousElementSibling.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = reason
  const x = Math.max(margin, Math.min(left, window.innerWidth - offsetWidth - margin))
  const isCut = bottom + gap + offsetHeight > window.innerHeight - margin
  const y = isCut ? Math.max(margin, top - gap - offsetHeight) : bottom + gap
  properties({ "--x": `${x}px`, "--y": `${y}px` })(reason)
}

/**
 * A button that says why it cannot be used to whoever reaches it: keys, a pointer or a finger. It stays the same element
 * while the reason comes and goes, so that the focus stays on it: a reason that comes while the button has the focus is
 * shown, unless a click on the button made it. After a click on the denied button the reason stays while the pointer goes elsewhere, as it has to of
 * whoever enlarges the screen, until the focus leaves or Escape is pressed.
 */
export const DeniableButton = ({
  denied,
  onClick,
  children,
  look = "",
  label,
  tip,
  isPressed,
  isBusy = false
}: Props) => {
  const [isFocused, setFocused] = useState(false)
  const [isPointed, setPointed] = useState(false)
  const isReached = isFocused || isPointed
  const id = useId()
  const isDenied = denied !== null
  useEscape(isReached && isDenied, () => {
    setFocused(false)
    setPointed(false)
  })
  return (
    <>
      <button
        type="button"
        className={`button ${look}`}
        aria-label={label}
        aria-pressed={isPressed}
        title={isDenied ? undefined : tip}
        aria-disabled={isDenied || isBusy ? "true" : undefined}
        aria-describedby={isDenied ? id : undefined}
        onClick={(event) => {
          // Safari gives no button the focus by a click, and tells then of no end of it either.
          if (isDenied) event.currentTarget.focus()
          setFocused(isDenied)
          setPointed(isDenied && isPointed)
          if (!isDenied && !isBusy && !isRepeated(event)) onClick?.()
        }}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onPointerEnter={() => setPointed(true)}
        onPointerLeave={() => setPointed(false)}
      >
        {children}
      </button>
      {isDenied && (
        <span id={id} className={isReached ? "denied-why" : "unseen"} ref={isReached ? besideItsButton : undefined}>
          {denied}
        </span>
      )}
    </>
  )
}
