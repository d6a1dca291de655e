import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { diff } from "../../domain/configuration/Diff.ts"
import { call } from "../api/client.ts"
import { isMismatch } from "../api/Failure.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { Button } from "../ui/Button.tsx"
import { Sheet } from "../ui/dialogs/Sheet.tsx"
import { ChangeList } from "./ChangeList.tsx"
import type { Side } from "./ConflictList.tsx"
import { ConflictList } from "./ConflictList.tsx"
import type { Configuration } from "./ConfigurationQueries.ts"
import { configurationQuery } from "./ConfigurationQueries.ts"
import { pathsWithout } from "./Draft.ts"
import type { Begun } from "./Meanwhile.ts"
import { conflictsIn, withTheirs } from "./Meanwhile.ts"
import { MeanwhileNotice } from "./MeanwhileNotice.tsx"
import { PublishRefusal } from "./PublishRefusal.tsx"
import { ReasonField } from "./ReasonField.tsx"
import { keyPath, sentChanges } from "./SentChanges.ts"

interface Props {
  readonly live: Configuration
  /** The draft as it goes on from what is live. */
  readonly begun: Begun
  readonly onClose: () => void
  readonly onPublished: (published: Configuration, before: number) => void
}

const none: ReadonlyMap<number, Side> = new Map()

/** What goes live if it is published: asked for once more, with a reason, before any game gets it. */
export const Review = ({ live, begun, onClose, onPublished }: Props) => {
  const { environment } = useProject()
  const where = useWhere()
  const queries = useQueryClient()
  const [reason, setReason] = useState("")
  const [chosen, choose] = useState({ version: live.version, sides: none })
  // What was chosen beside another version says nothing about this one.
  const sides = chosen.version === live.version ? chosen.sides : none
  const { draft, begunOn } = begun
  const conflicts = conflictsIn(begun)
  const isDecided = conflicts.every((_, index) => sides.has(index))
  const theirsAt = new Set([...sides].flatMap(([index, side]) => (side === "theirs" ? [index] : [])))
  const next = withTheirs(draft.document, conflicts, theirsAt)
  const changes = diff(live.configuration, next)
  const hidden = pathsWithout(draft.privacy, live.privacy)
  const shown = pathsWithout(live.privacy, draft.privacy)
  const isProduction = environment.alias === "production"
  const isNothing = changes.length + hidden.length + shown.length === 0
  const publishing = useMutation({
    mutationFn: () =>
      call("configurations.patch", {
        path: { applicationId: where.applicationId, configurationId: live.id },
        environment: where.environmentId,
        body: {
          baseHash: live.hash,
          changes: sentChanges(changes, next),
          ...(hidden.length + shown.length === 0 ? {} : { privacy: draft.privacy.map(keyPath) }),
          ...(reason.trim() === "" ? {} : { reason: reason.trim() })
        }
      }),
    onSuccess: (published) => onPublished(published, live.version),
    onError: async (error) => {
      if (!isMismatch(error)) return
      await queries.fetchQuery({ ...configurationQuery(where, live.id), staleTime: 0 })
    }
  })
  const isConflict = isMismatch(publishing.error)
  return (
    <Sheet title={`Review ${live.name}`} onClose={onClose} isWide>
      {begunOn !== null && (
        <MeanwhileNotice live={live} begunOn={begunOn} conflicts={conflicts} advice="Choose what stands." />
      )}
      {conflicts.length > 0 && (
        <ConflictList
          conflicts={conflicts}
          sides={sides}
          onChoose={(next) => choose({ version: live.version, sides: next })}
        />
      )}
      <p>
        {!isDecided
          ? "Nothing can be published before you have chosen."
          : isNothing
            ? conflicts.length > 0
              ? "Nothing is left to publish: theirs stands."
              : "Nothing is left to publish: what you wanted is there already."
            : `Games in ${environment.name} get this with their next poll.`}
        {live.isPrimary && isDecided && !isNothing && " It is the primary configuration: games that name none get it."}
      </p>
      {isDecided && <ChangeList changes={changes} hidden={hidden} shown={shown} />}
      <ReasonField reason={reason} isNeeded={isProduction} onChange={setReason} />
      <PublishRefusal
        error={isConflict ? null : publishing.error}
        configurationId={live.id}
        paths={changes.map(({ path }) => path)}
      />
      <div className="row">
        <Button
          type="button"
          className="button button-primary"
          disabled={publishing.isPending || !isDecided || isNothing || (isProduction && reason.trim() === "")}
          onClick={() => publishing.mutate()}
        >
          {publishing.isPending ? "Publishing …" : `Publish to ${environment.name}`}
        </Button>
        <button type="button" className="button" onClick={onClose}>
          Back to the draft
        </button>
      </div>
    </Sheet>
  )
}
