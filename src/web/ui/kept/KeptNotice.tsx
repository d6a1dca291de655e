import type { ReactNode } from "react"
import { Callout } from "../States.tsx"

interface Props {
  /** What was kept: `Your plan`. */
  readonly what: string
  /** Discards it, where the page has no other button for that. */
  readonly onDiscard?: () => void
  /** What else can be done about it. */
  readonly children?: ReactNode
}

/** Says that what somebody began earlier is still there. */
export const KeptNotice = ({ what, onDiscard, children }: Props) => (
  <Callout tone="good">
    {what} was kept in this browser when you left. Nobody else sees it. {children}
    {onDiscard !== undefined && (
      <button type="button" className="button button-small" onClick={onDiscard}>
        Discard it
      </button>
    )}
  </Callout>
)
