import { useRef, useState } from "react"
import type { BodyOf } from "../api/Endpoints.ts"
import { useWhere } from "../shell/Project.tsx"
import type { Answer } from "../api/Wire.ts"
import { Icon } from "../ui/Icon.tsx"
import type { Question } from "./Question.ts"
import { isDrawn } from "./Ask.ts"

interface Props {
  readonly answer: Answer<"queries.insights">
  readonly question: Question
  readonly body: BodyOf<"queries.insights">
  readonly sentence: string
}

/** The answer as a file or as the line that asks for it: what makes them is loaded when the menu is opened. */
export const ExportMenu = ({ answer, question, body, sentence }: Props) => {
  const where = useWhere()
  const details = useRef<HTMLDetailsElement>(null)
  const [said, say] = useState("")
  const make = async (kind: "png" | "svg" | "csv" | "curl") => {
    details.current?.removeAttribute("open")
    const { exportAnswer } = await import("./ExportAnswer.ts")
    say(await exportAnswer(kind, { answer, question, body, sentence, where }))
  }
  const start = (kind: "png" | "svg" | "csv" | "curl") => () => {
    make(kind).catch(() => say("This could not be exported"))
  }
  return (
    <details className="menu menu-below menu-right" ref={details}>
      <summary className="button button-small">
        <Icon name="down" size={14} />
        Export
      </summary>
      <div className="menu-body">
        <button type="button" className="menu-item" disabled={!isDrawn(question)} onClick={start("png")}>
          Picture (PNG)
        </button>
        <button type="button" className="menu-item" disabled={!isDrawn(question)} onClick={start("svg")}>
          Drawing (SVG)
        </button>
        <button type="button" className="menu-item" onClick={start("csv")}>
          Table (CSV)
        </button>
        <button type="button" className="menu-item" onClick={start("curl")}>
          Copy as curl, for a script
        </button>
      </div>
      <span className="unseen" role="status">
        {said}
      </span>
    </details>
  )
}
