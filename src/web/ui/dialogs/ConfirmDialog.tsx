import type { ReactNode } from "react"
import { useId, useState } from "react"
import { asRead } from "../../text/AsRead.ts"
import { FormDialog } from "./FormDialog.tsx"
import { FormDialogEnd } from "./FormDialogEnd.tsx"

interface Props {
  readonly title: string
  /** What happens, as a sentence or more. */
  readonly children: ReactNode
  /** The button that does it: "Revoke the key". */
  readonly action: string
  /** What leaves everything as it is. */
  readonly cancel?: string
  /** What has to be typed before; nothing where the dialog is enough. */
  readonly typed?: string
  readonly error: Error | null
  readonly isPending: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that nothing undoes. */
export const ConfirmDialog = ({
  title,
  children,
  action,
  cancel = "Keep",
  typed,
  error,
  isPending,
  onConfirm,
  onClose
}: Props) => {
  const [text, setText] = useState("")
  const help = useId()
  const isReady = typed === undefined || asRead(text) === asRead(typed)
  return (
    <FormDialog title={title} asks="never" onClose={onClose} onSubmit={() => isReady && onConfirm()}>
      {children}
      {typed !== undefined && (
        <label className="field">
          Type the name to confirm
          <input
            autoComplete="off"
            spellCheck={false}
            aria-describedby={help}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
          <small id={help}>{typed}</small>
        </label>
      )}
      <FormDialogEnd
        error={error}
        submit={action}
        cancel={cancel}
        isDangerous
        isDisabled={!isReady || isPending}
        onClose={onClose}
      />
    </FormDialog>
  )
}
