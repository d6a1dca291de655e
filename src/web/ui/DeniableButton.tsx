import type { ReactNode } from "react"
import { isRepeated } from "./DoubleClick.ts"
import { useDenied } from "./useDenied.tsx"

interface Props {
  /** Why it cannot be used; null where it can. */
  readonly denied: string | null
  /** Left out where it is never used, because what can be used there is a link, and where it sends its form. */
  readonly onClick?: () => void
  readonly children: ReactNode
  readonly type?: "button" | "submit"
  /** Classes beside `button`. */
  readonly look?: string
  /** Its classes, where it does not look like a button. */
  readonly className?: string
  /** What it does, where its words alone do not say what with: "Revoke Roblox client". */
  readonly label?: string
  /** More about it, where it can be used. */
  readonly tip?: string
  readonly isPressed?: boolean
  /** It can do nothing just now, and needs no word for it. */
  readonly isBusy?: boolean
}

/**
 * A button that says why it cannot be used to whoever reaches it. It stays the same element while the reason comes and goes, so that the
 * focus stays on it.
 */
export const DeniableButton = ({
  denied,
  onClick,
  children,
  type = "button",
  look = "",
  className = `button ${look}`,
  label,
  tip,
  isPressed,
  isBusy = false
}: Props) => {
  const { reach, press, describedBy, why } = useDenied(denied)
  const isDenied = denied !== null
  return (
    <>
      <button
        type={type}
        className={className}
        aria-label={label}
        aria-pressed={isPressed}
        title={isDenied ? undefined : tip}
        aria-disabled={isDenied || isBusy ? "true" : undefined}
        aria-describedby={describedBy}
        onClick={(event) => {
          press(event.currentTarget)
          // Neither is the form sent, which Enter in a field does by a click on its button.
          if (isDenied || isBusy || isRepeated(event)) event.preventDefault()
          else onClick?.()
        }}
        {...reach}
      >
        {children}
      </button>
      {why}
    </>
  )
}
