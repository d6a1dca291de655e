import { useEffect, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"

/** Seconds for which a change can be undone from where it was made. */
const seconds = 20

interface Props {
  readonly text: string
  readonly error: string | null
  readonly isBusy: boolean
  readonly onUndo: () => void
  readonly onGone: () => void
}

/** Says what has just been done, and takes it back while it is shown. It stays while somebody points at it or has the focus on it. */
export const UndoToast = ({ text, error, isBusy, onUndo, onGone }: Props) => {
  const [left, setLeft] = useState(seconds)
  const [isHeld, hold] = useState(false)
  useEffect(() => {
    if (isHeld || isBusy) return
    const timer = setTimeout(() => (left > 1 ? setLeft(left - 1) : onGone()), 1000)
    return () => clearTimeout(timer)
  }, [left, isHeld, isBusy, onGone])
  return (
    <div
      className="toast"
      role="status"
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <Icon name="check" size={14} />
      <span>{error ?? text}</span>
      <Button type="button" className="button button-small" disabled={isBusy} onClick={onUndo}>
        Undo
      </Button>
      <button type="button" className="button button-icon button-quiet" aria-label="Close" onClick={onGone}>
        <Icon name="cross" size={14} />
      </button>
    </div>
  )
}
