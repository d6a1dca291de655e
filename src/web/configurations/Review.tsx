import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { diff } from "../../domain/configuration/Diff.ts"
import { call } from "../api/client.ts"
import { ApiFailure } from "../api/Failure.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { Sheet } from "../ui/Sheet.tsx"
import { Callout } from "../ui/States.tsx"
import { ChangeList } from "./ChangeList.tsx"
import { ConflictList } from "./ConflictList.tsx"
import type { Configuration } from "./ConfigurationQueries.ts"
import { configurationQuery, keyPath, sentChanges } from "./ConfigurationQueries.ts"
import type { Draft } from "./Draft.ts"
import { merged, pathsWithout, resolved } from "./Draft.ts"

interface Props {
  /** What the draft began with. */
  readonly base: Configuration
  readonly draft: Draft
  readonly onClose: () => void
  readonly onPublished: (published: Configuration, before: number) => void
}

/** What goes live if it is published: asked for once more, with a reason, before any game gets it. */
export const Review = ({ base, draft, onClose, onPublished }: Props) => {
  const { environment } = useProject()
  const where = useWhere()
  const queries = useQueryClient()
  const [reason, setReason] = useState("")
  /** What somebody else has published since the draft began; null while nobody has. */
  const [theirs, setTheirs] = useState<Configuration | null>(null)
  const [mineAt, setMineAt] = useState<ReadonlySet<number>>(new Set())
  const merge = theirs === null ? null : merged(base.configuration, draft.document, theirs.configuration)
  const document = theirs === null || merge === null ? draft.document : resolved(theirs.configuration, merge, mineAt)
  const present = theirs ?? base
  const changes = diff(present.configuration, document)
  // Paths that I made private or public are so, whatever else they did with the others.
  const hidden = pathsWithout(pathsWithout(draft.privacy, base.privacy), present.privacy)
  const shown = pathsWithout(base.privacy, draft.privacy).filter(
    (path) => pathsWithout([path], present.privacy).length === 0
  )
  const privacy = [...pathsWithout(present.privacy, shown), ...hidden]
  const isProduction = environment.alias === "production"
  const isNothing = changes.length + hidden.length + shown.length === 0
  const publishing = useMutation({
    mutationFn: () =>
      call("configurations.patch", {
        path: { applicationId: where.applicationId, configurationId: base.id },
        environment: where.environmentId,
        body: {
          baseHash: present.hash,
          changes: sentChanges(changes),
          ...(hidden.length + shown.length === 0 ? {} : { privacy: privacy.map(keyPath) }),
          ...(reason.trim() === "" ? {} : { reason: reason.trim() })
        }
      }),
    onSuccess: (published) => onPublished(published, present.version),
    onError: async (error) => {
      if (!(error instanceof ApiFailure) || error.code !== "HASH_MISMATCH") return
      const newest = await queries.fetchQuery({ ...configurationQuery(where, base.id), staleTime: 0 })
      setMineAt(new Set())
      setTheirs(newest)
    }
  })
  const isConflict = publishing.error instanceof ApiFailure && publishing.error.code === "HASH_MISMATCH"
  return (
    <Sheet title={`Review ${base.name}`} onClose={onClose} isWide>
      {theirs !== null && (
        <Callout>
          {theirs.updatedBy?.email ?? "Somebody"} published version {theirs.version} while you worked on version{" "}
          {base.version}.{" "}
          {(merge?.conflicts.length ?? 0) === 0
            ? "Your changes fit theirs."
            : "Choose what stands where both of you changed a value."}
        </Callout>
      )}
      {merge !== null && merge.conflicts.length > 0 && (
        <ConflictList conflicts={merge.conflicts} mineAt={mineAt} onChoose={setMineAt} />
      )}
      <p>
        {isNothing
          ? "Nothing is left to publish: what you wanted is there already."
          : `Games in ${environment.name} get this with their next poll.`}
        {base.isPrimary && !isNothing && " It is the primary configuration: games that name none get it."}
      </p>
      <ChangeList changes={changes} hidden={hidden} shown={shown} />
      <label className="field">
        Reason
        <input
          value={reason}
          maxLength={500}
          required={isProduction}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <small>
          {isProduction
            ? "Needed in production: who looks at the history wants to know why."
            : "Who looks at the history wants to know why."}
        </small>
      </label>
      <p className="form-error" role="alert">
        {isConflict ? "" : publishing.error?.message}
      </p>
      <div className="row">
        <button
          type="button"
          className="button button-primary"
          disabled={publishing.isPending || isNothing || (isProduction && reason.trim() === "")}
          onClick={() => publishing.mutate()}
        >
          {publishing.isPending ? "Publishing …" : `Publish to ${environment.name}`}
        </button>
        <button type="button" className="button" onClick={onClose}>
          Back to the draft
        </button>
      </div>
    </Sheet>
  )
}
