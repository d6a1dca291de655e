import { useEffect } from "react"
import { useMe } from "../api/queries.ts"
import { Icon } from "../ui/Icon.tsx"
import type { LeftChange } from "./LeftChanges.ts"
import { dismiss, useLeftChanges, watchChanges } from "./LeftChanges.ts"
import { RunToast } from "./RunToast.tsx"
import { useRuns } from "./Runs.ts"
import "../theme/toasts.css"

const LeftToast = ({ change: { id, page, message } }: { readonly change: LeftChange }) => (
  <li className="toast">
    <span role="alert">
      <b>{page}</b>: what you did there has failed. {message}
    </span>
    <button
      type="button"
      className="button button-icon button-quiet"
      aria-label={`Close: ${page}`}
      onClick={() => dismiss(id)}
    >
      <Icon name="cross" size={14} />
    </button>
  </li>
)

/** What goes on beside the pages for this person: questions in the background, and changes that failed after their page was left. */
export const Toasts = () => {
  const me = useMe().data?.id
  const runs = useRuns().filter(({ userId }) => userId === me)
  const changes = useLeftChanges().filter(({ userId }) => userId === me)
  useEffect(watchChanges, [])
  return (
    runs.length + changes.length > 0 && (
      <ul className="toasts" aria-label="In the background">
        {changes.map((change) => (
          <LeftToast key={change.id} change={change} />
        ))}
        {runs.map((run) => (
          <RunToast key={run.executionId} run={run} />
        ))}
      </ul>
    )
  )
}
