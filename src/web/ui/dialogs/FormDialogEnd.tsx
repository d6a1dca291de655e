import { DeniableButton } from "../DeniableButton.tsx"

interface Props {
  readonly error: Error | null
  /** What the form does: `Save`. */
  readonly submit: string
  /** What leaves everything as it is. */
  readonly cancel?: string
  readonly isDangerous?: boolean
  /** What is missing before it can be sent, as a sentence; null where nothing is, or where the form says it. */
  readonly lacks?: string | null
  readonly isDisabled: boolean
  readonly onClose: () => void
}

/** What went wrong, and the buttons at the end of a form over the page. */
export const FormDialogEnd = ({
  error,
  submit,
  cancel = "Cancel",
  isDangerous = false,
  lacks = null,
  isDisabled,
  onClose
}: Props) => (
  <>
    {error !== null && (
      <p className="form-error" role="alert">
        {error.message}
      </p>
    )}
    <div className="form-dialog-end">
      <button type="button" className="button" onClick={onClose}>
        {cancel}
      </button>
      <DeniableButton
        type="submit"
        look={isDangerous ? "button-danger" : "button-primary"}
        denied={lacks}
        isBusy={isDisabled}
      >
        {submit}
      </DeniableButton>
    </div>
  </>
)
