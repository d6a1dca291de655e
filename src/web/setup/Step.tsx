import type { ReactNode } from "react"
import { Icon } from "../ui/Icon.tsx"

interface Props {
  readonly isDone: boolean
  readonly title: string
  readonly children: ReactNode
}

/** A step of the first run, which is marked when it is done. */
export const Step = ({ isDone, title, children }: Props) => (
  <li className={isDone ? "step step-done" : "step"}>
    <span className="step-mark">{isDone ? <Icon name="check" size={14} /> : null}</span>
    <div>
      <h2>
        {title}
        {isDone && <span className="unseen"> (done)</span>}
      </h2>
      {children}
    </div>
  </li>
)
