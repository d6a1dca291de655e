import type { ReactNode } from "react"
import { useDenied } from "./useDenied.tsx"

interface Props {
  /** Why it cannot be changed; null where it can. */
  readonly denied: string | null
  readonly isChecked: boolean
  /** What it says, where no words stand beside it. */
  readonly label?: string
  readonly children?: ReactNode
  /** What it has begun is under way. */
  readonly isBusy?: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** A box to tick that says why it cannot be changed to whoever reaches it, and keeps the focus while what it does is under way. */
export const DeniableCheck = ({ denied, isChecked, label, children, isBusy = false, onChange }: Props) => {
  const { reach, press, describedBy, why } = useDenied(denied)
  const isOff = denied !== null || isBusy
  return (
    <>
      <label className="check" {...reach}>
        <input
          type="checkbox"
          aria-label={label}
          checked={isChecked}
          aria-disabled={isOff ? "true" : undefined}
          aria-describedby={describedBy}
          onClick={(event) => {
            press(event.currentTarget)
            if (isOff) event.preventDefault()
          }}
          onChange={({ currentTarget }) => !isOff && onChange(currentTarget.checked)}
        />
        {children}
      </label>
      {why}
    </>
  )
}
