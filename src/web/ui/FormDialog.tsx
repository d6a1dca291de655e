import type { FormEvent, ReactNode } from "react"
import { useEffect, useRef } from "react"
import "../theme/dialog.css"

interface Props {
  readonly title: string
  readonly children: ReactNode
  /** Whether fields stand side by side where there is room. */
  readonly isWide?: boolean
  readonly onClose: () => void
  /** The dialog is a form; its values. */
  readonly onSubmit: (form: FormData) => void
}

/** A small form over the page. Esc and a click beside it close it; the focus returns to what opened it. */
export const FormDialog = ({ title, children, isWide = false, onClose, onSubmit }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current
    if (element === null || element.open) return
    element.setAttribute("closedby", "any")
    element.showModal()
  }, [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <dialog className={isWide ? "dialog dialog-wide" : "dialog"} ref={dialog} aria-label={title} onClose={onClose}>
      <form onSubmit={submit}>
        <h2>{title}</h2>
        {children}
      </form>
    </dialog>
  )
}
