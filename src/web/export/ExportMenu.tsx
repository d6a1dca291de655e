import { useEffect, useState } from "react"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { useMenu } from "../ui/useMenu.ts"
import type { ExportKind } from "./HandOut.ts"

/** Milliseconds for which it is said what has happened. */
const saidFor = 8000

interface Props {
  /** Whether the answer is a picture as it is shown now. */
  readonly isDrawn: boolean
  /** Makes the file or the line; what happened, in words. */
  readonly onExport: (kind: ExportKind) => Promise<string>
}

/** The answer as a file or as the line that asks for it: what makes them is loaded when it is wanted. */
export const ExportMenu = ({ isDrawn, onExport }: Props) => {
  const { close, menu } = useMenu()
  const denied = isDrawn ? null : "What is shown now is no drawing: show the answer as a chart first."
  const [said, say] = useState("")
  useEffect(() => {
    if (said === "") return
    const timer = setTimeout(() => say(""), saidFor)
    return () => clearTimeout(timer)
  }, [said])
  const start = (kind: ExportKind) => () => {
    close()
    onExport(kind).then(say, () => say("This could not be exported"))
  }
  return (
    <>
      <details className="menu menu-below menu-right" {...menu}>
        <summary className="button button-small">
          <Icon name="down" size={14} />
          Export
        </summary>
        <div className="menu-body">
          <DeniableButton className="menu-item" denied={denied} onClick={start("png")}>
            Picture (PNG)
          </DeniableButton>
          <DeniableButton className="menu-item" denied={denied} onClick={start("svg")}>
            Drawing (SVG)
          </DeniableButton>
          <button type="button" className="menu-item" onClick={start("csv")}>
            Table (CSV)
          </button>
          <button type="button" className="menu-item" onClick={start("curl")}>
            Copy as curl, for a script
          </button>
        </div>
      </details>
      {/* Nothing of a menu that is closed is drawn or read aloud. */}
      <span className="faint" role="status">
        {said}
      </span>
    </>
  )
}
