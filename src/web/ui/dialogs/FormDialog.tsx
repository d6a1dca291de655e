import type { FormEvent, ReactNode } from "react"
import type { Asks } from "./Dialog.tsx"
import { Dialog } from "./Dialog.tsx"

interface Props {
  readonly title: string
  readonly children: ReactNode
  /** Whether fields stand side by side where there is room. */
  readonly isWide?: boolean
  /** `never` where nothing is lost, `always` where closing loses what it shows. */
  readonly asks?: Asks
  /** Something was typed or chosen in it. */
  readonly onInput?: () => void
  readonly onClose: () => void
  /** The dialog is a form; its values. */
  readonly onSubmit: (form: FormData) => void
}

/** A small form over the page, closed by Esc and a click beside it. */
export const FormDialog = ({
  title,
  children,
  isWide = false,
  asks = "ifChanged",
  onInput,
  onClose,
  onSubmit
}: Props) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onSubmit(new FormData(event.currentTarget))
  }
  return (
    <Dialog className={isWide ? "dialog dialog-wide" : "dialog"} title={title} asks={asks} onClose={onClose}>
      <form onSubmit={submit} onInput={onInput}>
        <h2>{title}</h2>
        {children}
      </form>
    </Dialog>
  )
}
