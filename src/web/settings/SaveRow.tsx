import { DeniableButton } from "../ui/DeniableButton.tsx"

interface Props {
  readonly error: Error | null
  readonly isPending: boolean
  readonly isSaved: boolean
  /** Why it cannot be saved; null where it can. */
  readonly denied: string | null
  /** False while something is missing, as the form says. */
  readonly isReady?: boolean
  readonly words?: string
}

/** The end of a form that stays on the page: its button, and what became of it. */
export const SaveRow = ({ error, isPending, isSaved, denied, isReady = true, words = "Save" }: Props) => (
  <>
    <p className="form-error" role="alert">
      {error?.message}
    </p>
    <div className="row">
      <DeniableButton type="submit" look="button-primary" denied={denied} isBusy={isPending || !isReady}>
        {isPending ? "Saving …" : words}
      </DeniableButton>
      <span role="status" className="faint">
        {isSaved && error === null ? "Saved." : ""}
      </span>
    </div>
  </>
)
