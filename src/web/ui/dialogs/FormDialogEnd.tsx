import { Button } from "../Button.tsx"

interface Props {
  readonly error: Error | null
  /** What the form does: `Save`. */
  readonly submit: string
  /** What leaves everything as it is. */
  readonly cancel?: string
  readonly isDangerous?: boolean
  readonly isDisabled: boolean
  readonly onClose: () => void
}

/** What went wrong, and the buttons at the end of a form over the page. */
export const FormDialogEnd = ({
  error,
  submit,
  cancel = "Cancel",
  isDangerous = false,
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
      <Button
        type="submit"
        className={isDangerous ? "button button-danger" : "button button-primary"}
        disabled={isDisabled}
      >
        {submit}
      </Button>
    </div>
  </>
)
