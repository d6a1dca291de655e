import type { ReactNode } from "react"
import { Callout } from "./States.tsx"

interface Props {
  /** What was kept: `Your plan`. */
  readonly what: string
  /** What can be done about it, where the page has no buttons for that. */
  readonly children?: ReactNode
}

/** Says that what somebody began earlier is still there. */
export const KeptNotice = ({ what, children }: Props) => (
  <Callout tone="good">
    {what} was kept in this browser when you left. Nobody else sees it. {children}
  </Callout>
)
