import type { ReactNode } from "react"
import { useEffect, useRef } from "react"
import type { Asks } from "./Dialog.tsx"
import { Dialog } from "./Dialog.tsx"
import { Icon } from "../Icon.tsx"
import "../../theme/sheet.css"

interface Props {
  readonly title: string
  readonly children: ReactNode
  readonly onClose: () => void
  /** Half of a large screen, for what stands side by side. */
  readonly isWide?: boolean
  /** `never` where nothing is lost: what is typed is kept, or has gone where it belongs. */
  readonly asks?: Asks
}

/** Closes a dialog unless it has something to ask first, as Esc does. Older browsers do not have the method of this name. */
const requestClose = (dialog: HTMLDialogElement | null): void => {
  if (dialog?.dispatchEvent(new Event("cancel", { cancelable: true })) === true) dialog.close()
}

/** The first field of the form with which a sheet begins. Fields further down belong to what is read before. */
const firstField = "header + form :is(input, select, textarea):not(:disabled)"

/**
 * A panel over the right side of the page, closed by Esc, its cross and a click beside it. A browser would give the focus to the cross,
 * where what is typed is lost; a form has it in its first field.
 */
export const Sheet = ({ title, children, onClose, isWide = false, asks = "ifChanged" }: Props) => {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    body.current?.querySelector<HTMLElement>(firstField)?.focus()
  }, [])
  return (
    <Dialog className={isWide ? "sheet sheet-wide" : "sheet"} title={title} asks={asks} onClose={onClose}>
      <div className="sheet-body" ref={body}>
        <header>
          <h2>{title}</h2>
          <button
            type="button"
            className="button button-icon button-quiet"
            aria-label="Close"
            onClick={({ currentTarget }) => requestClose(currentTarget.closest("dialog"))}
          >
            <Icon name="cross" />
          </button>
        </header>
        {children}
      </div>
    </Dialog>
  )
}
