import { diff } from "../../domain/configuration/Diff.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import type { Configuration } from "./ConfigurationQueries.ts"
import type { ConfigurationDraft } from "./Draft.ts"
import { pathsWithout } from "./Draft.ts"
import "../theme/draft.css"

interface Props {
  readonly live: Configuration
  readonly draft: ConfigurationDraft
  /** Whether the text that stands for the document is JSON. */
  readonly isReadable: boolean
  /** Why nobody can publish it; null where this person can. */
  readonly denied: string | null
  readonly onDiscard: () => void
  readonly onReview: () => void
}

/** How much a draft changes, and what can be done with it. */
export const DraftBar = ({ live, draft, isReadable, denied, onDiscard, onReview }: Props) => {
  const count =
    diff(live.configuration, draft.document).length +
    pathsWithout(draft.privacy, live.privacy).length +
    pathsWithout(live.privacy, draft.privacy).length
  return (
    <div className="draft-bar" role="region" aria-label="Draft">
      <span aria-live="polite">
        {isReadable
          ? `${count} ${count === 1 ? "change is" : "changes are"} in your draft. No game has ${count === 1 ? "it" : "them"} yet.`
          : "The text is no JSON yet."}
      </span>
      <span className="row">
        <button type="button" className="button" onClick={onDiscard}>
          Discard
        </button>
        <DeniableButton look="button-primary" denied={denied} isBusy={!isReadable} onClick={onReview}>
          Review
        </DeniableButton>
      </span>
    </div>
  )
}
