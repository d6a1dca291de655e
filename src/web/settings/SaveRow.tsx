import { Button } from "../ui/Button.tsx"

interface Props {
  readonly error: Error | null
  readonly isPending: boolean
  readonly isSaved: boolean
  /** Why it cannot be saved; null where it can. */
  readonly denied: string | null
  readonly words?: string
}

/** The end of a form that stays on the page: its button, and what became of it. */
export const SaveRow = ({ error, isPending, isSaved, denied, words = "Save" }: Props) => (
  <>
    <p className="form-error" role="alert">
      {error?.message}
    </p>
    <div className="row">
      <Button
        type="submit"
        className="button button-primary"
        disabled={denied !== null || isPending}
        title={denied ?? undefined}
      >
        {isPending ? "Saving …" : words}
      </Button>
      <span role="status" className="faint">
        {isSaved && error === null ? "Saved." : ""}
      </span>
    </div>
  </>
)
