import type { ReactNode } from "react"
import { useId, useState } from "react"
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

interface Place {
  readonly x: number
  readonly y: number
}

/** Keys, a pointer and a finger reach a button that is denied, and then it says why. */
const Denied = ({ denied, children, look = "", label }: Props & { readonly denied: string }) => {
  const [place, setPlace] = useState<Place | null>(null)
  const id = useId()
  const show = (button: HTMLElement) => {
    const { left, bottom } = button.getBoundingClientRect()
    setPlace({ x: Math.max(8, Math.min(left, window.innerWidth - widest - 8)), y: bottom + gap })
  }
  const hide = () => setPlace(null)
  return (
    <>
      <button
        type="button"
        className={`button ${look}`}
        aria-label={label}
        aria-disabled="true"
        aria-describedby={id}
        onClick={({ currentTarget }) => show(currentTarget)}
        onFocus={({ currentTarget }) => show(currentTarget)}
        onBlur={hide}
        onPointerEnter={({ currentTarget }) => show(currentTarget)}
        onPointerLeave={hide}
        onKeyDown={({ key }) => {
          if (key === "Escape") hide()
        }}
      >
        {children}
      </button>
      <span
        id={id}
        className={place === null ? "unseen" : "denied-why"}
        ref={place === null ? undefined : properties({ "--x": `${place.x}px`, "--y": `${place.y}px` })}
      >
        {denied}
      </span>
    </>
  )
}

/** A button that says why it cannot be used. */
export const DeniableButton = (props: Props) => {
  const { denied, onClick, children, look = "", label, isBusy = false } = props
  return denied !== null ? (
    <Denied {...props} denied={denied} />
  ) : (
    <button type="button" className={`button ${look}`} aria-label={label} disabled={isBusy} onClick={onClick}>
      {children}
    </button>
  )
}
