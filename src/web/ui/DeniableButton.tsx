import type { ReactNode } from "react"
import { useId, useState } from "react"
import { isRepeated } from "./DoubleClick.ts"
import { useEscape } from "./Keys.ts"
import { properties } from "./properties.ts"

interface Props {
  /** Why it cannot be used; null where it can. */
  readonly denied: string | null
  readonly onClick: () => void
  readonly children: ReactNode
  /** Classes beside `button`. */
  readonly look?: string
  /** What it does, where its words alone do not say what with: "Revoke Roblox client". */
  readonly label?: string
  readonly isBusy?: boolean
}

/** Pixels that the reason may be wide, and that it stands below its button. */
const widest = 280
const gap = 6

/** A reference that places a reason below the button before it, within the window. */
const belowItsButton = (reason: HTMLElement | null) => {
  if (!(reason?.previousElementSibling instanceof HTMLElement)) return
  const { left, bottom } = reason.previousElementSibling.getBoundingClientRect()
  const x = Math.max(8, Math.min(left, window.innerWidth - widest - 8))
  properties({ "--x": `${x}px`, "--y": `${bottom + gap}px` })(reason)
}

/**
 * A button that says why it cannot be used to whoever reaches it: keys, a pointer or a finger. It stays the same element
 * while the reason comes and goes, so that the focus stays on it: a reason that comes while the button has the focus is
 * shown, unless a click on the button made it.
 */
export const DeniableButton = ({ denied, onClick, children, look = "", label, isBusy = false }: Props) => {
  const [isReached, setReached] = useState(false)
  const id = useId()
  const isDenied = denied !== null
  useEscape(isReached, () => setReached(false))
  return (
    <>
      <button
        type="button"
        className={`button ${look}`}
        aria-label={label}
        aria-disabled={isDenied || isBusy ? "true" : undefined}
        aria-describedby={isDenied ? id : undefined}
        onClick={(event) => {
          setReached(isDenied)
          if (!isDenied && !isBusy && !isRepeated(event)) onClick()
        }}
        onFocus={() => setReached(true)}
        onBlur={() => setReached(false)}
        onPointerEnter={() => setReached(true)}
        onPointerLeave={() => setReached(false)}
      >
        {children}
      </button>
      {isDenied && (
        <span id={id} className={isReached ? "denied-why" : "unseen"} ref={isReached ? belowItsButton : undefined}>
          {denied}
        </span>
      )}
    </>
  )
}
