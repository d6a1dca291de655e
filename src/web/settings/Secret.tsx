import type { ReactNode } from "react"
import { CopyButton } from "../ui/CopyButton.tsx"
import { FormDialog } from "../ui/dialogs/FormDialog.tsx"
import { Callout } from "../ui/States.tsx"

interface Props {
  readonly title: string
  readonly secret: string
  /** What to do with it. */
  readonly children: ReactNode
  readonly copyLabel: string
  readonly onClose: () => void
}

/** A secret, shown this once: it is held by the page alone, and gone when this closes. */
export const Secret = ({ title, secret, children, copyLabel, onClose }: Props) => (
  <FormDialog title={title} asks="always" onClose={onClose} onSubmit={onClose}>
    <Callout>It is shown this once. Nobody can look it up later.</Callout>
    <div className="secret-text">
      <code data-secret>{secret}</code>
      <CopyButton text={secret} label={copyLabel} />
    </div>
    {children}
    <div className="form-dialog-end">
      <button type="submit" className="button button-primary">
        I have kept it
      </button>
    </div>
  </FormDialog>
)
