import { Button } from "../Button.tsx"
import { Callout } from "../States.tsx"

interface Props {
  /** What somebody else has changed, such as "this board". */
  readonly what: string
  readonly isBusy?: boolean
  readonly onTheirs: () => void
  readonly onMine: () => void
}

/** Somebody else was faster: nothing is lost before it is said whose change stands. */
export const ChangedMeanwhile = ({ what, isBusy = false, onTheirs, onMine }: Props) => (
  <Callout tone="bad">
    Somebody else has changed {what} since you opened it.{" "}
    <Button type="button" className="button button-small" disabled={isBusy} onClick={onTheirs}>
      Show theirs, drop mine
    </Button>{" "}
    <Button type="button" className="button button-small" disabled={isBusy} onClick={onMine}>
      Keep mine over theirs
    </Button>
  </Callout>
)
