import type { ComponentProps } from "react"
import { Icon } from "./Icon.tsx"

/**
 * A button that may become unusable by being pressed: while what it does is under way, or once it is done. A browser takes the focus from a
 * button that is disabled, and who uses keys would be nowhere; this one keeps it, does nothing, and says so to screen readers.
 */
export const Button = ({ type = "button", disabled = false, onClick, ...rest }: ComponentProps<"button">) => (
  <button
    {...rest}
    type={type}
    aria-disabled={disabled ? "true" : undefined}
    onClick={(event) => {
      // Neither is the form sent, which Enter in a field does by a click on its button.
      if (disabled) event.preventDefault()
      else onClick?.(event)
    }}
  />
)

interface RemoveProps {
  /** What is removed, as a sentence: "Remove step 2". */
  readonly label: string
  readonly onRemove: () => void
}

export const RemoveButton = ({ label, onRemove }: RemoveProps) => (
  <button type="button" className="button button-icon button-quiet" aria-label={label} onClick={onRemove}>
    <Icon name="cross" size={14} />
  </button>
)
