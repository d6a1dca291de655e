import { useEffect, useMemo } from "react"
import { useWhere } from "../shell/Project.tsx"
import type { Shape } from "../ui/kept/Kept.ts"
import { useKept } from "../ui/kept/useKept.ts"
import type { Configuration } from "./ConfigurationQueries.ts"
import type { ConfigurationDraft } from "./Draft.ts"
import { applied, isSameDraft } from "./Draft.ts"
import type { Begun } from "./Meanwhile.ts"
import { begin, beside } from "./Meanwhile.ts"
import type { Proposal } from "./ShownState.ts"

const shape: Shape<Begun> = {
  version: 1,
  read: (kept) => (typeof kept.base.version === "number" && Array.isArray(kept.draft.privacy) ? kept : null)
}

/** The draft of a configuration, beside what is live now and what the address of the page proposes. */
export const useConfigurationDraft = (live: Configuration, proposed: ReadonlyArray<Proposal>) => {
  const { environmentId } = useWhere()
  const {
    draft: kept,
    wasKept,
    change: changeKept,
    discard
  } = useKept(`configuration-${environmentId}-${live.id}`, shape)
  const unchanged = useMemo(() => begin(live), [live])
  const present = useMemo(() => beside(kept ?? unchanged, unchanged.base), [kept, unchanged])
  const begun = useMemo(
    (): Begun => ({
      ...present,
      draft: { ...present.draft, document: applied(present.draft.document, proposed) }
    }),
    [present, proposed]
  )
  // Somebody else has published what this draft was for.
  const isOver = kept !== null && kept.unread === null && isSameDraft(unchanged.draft, present.draft)
  useEffect(() => {
    if (isOver) discard()
  }, [discard, isOver])
  const change = (draft: ConfigurationDraft, unread: string | null = null) =>
    changeKept(() => (unread === null && isSameDraft(unchanged.draft, draft) ? null : { ...present, draft, unread }))
  return {
    begun,
    isChanged: begun.unread !== null || !isSameDraft(unchanged.draft, begun.draft),
    wasKept,
    change,
    discard
  }
}
