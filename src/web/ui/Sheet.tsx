import type { ReactNode } from "react"
import { useEffect, useRef } from "react"
import { Icon } from "./Icon.tsx"
import "../theme/sheet.css"

interface Props {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
  /** Half of a large screen, for what stands side by side. */
  readonly isWide?: boolean
}

/** A panel over the right side of the page. Esc, its button and a click beside it close it; the focus returns to what opened it. */
export const Sheet = ({ title, children, onClose, isWide = false }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element === null || element.open) return
    element.setAttribute("closedby", "any")
    element.showModal()
  }, [])
  return (
    <dialog className={isWide ? "sheet sheet-wide" : "sheet"} ref={dialog} aria-label={title} onClose={onClose}>
      <div className="sheet-body">
        <header>
          <h2>{title}</h2>
          <button
            type="button"
            className="button button-icon button-quiet"
            aria-label="Close"
            onClick={() => dialog.current?.close()}
          >
            <Icon name="cross" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
