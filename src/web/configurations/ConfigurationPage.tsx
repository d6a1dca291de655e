import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useState } from "react"
import { Link } from "wouter"
import { diff } from "../../domain/configuration/Diff.ts"
import { call } from "../api/client.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { momentText } from "../text/Times.ts"
import { Segmented } from "../ui/Segmented.tsx"
import { Callout, Failed, Skeleton } from "../ui/States.tsx"
import { UndoToast } from "../ui/UndoToast.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { configurationQuery, configurationsKey, useConfigurations, useExperiments } from "./ConfigurationQueries.ts"
import type { Configuration } from "./ConfigurationQueries.ts"
import { AsPlayer } from "./AsPlayer.tsx"
import { CopySheet } from "./CopySheet.tsx"
import { Details } from "./Details.tsx"
import type { Draft } from "./Draft.ts"
import { applied, isSameDraft, pathsWithout } from "./Draft.ts"
import { FormEditor } from "./FormEditor.tsx"
import { History } from "./History.tsx"
import { JsonEditor } from "./json/JsonEditor.tsx"
import { locksOn } from "./Locks.ts"
import { Review } from "./Review.tsx"
import { shownCodec, views } from "./ShownState.ts"
import "../theme/draft.css"

const lacking = deniedText("configurations:write")

/** Why no version can be brought back over a draft. */
const unpublished = "Publish or discard your changes first"

interface Published {
  readonly configuration: Configuration
  /** The version that was live before. */
  readonly before: number
}

type Open = "review" | "details" | "copy" | null

interface Props {
  readonly configurationId: number
}

export const ConfigurationPage = ({ configurationId }: Props) => {
  const where = useWhere()
  const configuration = useQuery(configurationQuery(where, configurationId))
  if (configuration.data !== undefined) return <Editor configuration={configuration.data} />
  if (configuration.error !== null) {
    return <Failed error={configuration.error} retry={() => void configuration.refetch()} />
  }
  return <Skeleton />
}

/** One configuration: its draft, which nobody else sees, and what has been published. */
const Editor = ({ configuration }: { readonly configuration: Configuration }) => {
  const { applicationId, environment, timezone, may } = useProject()
  const where = useWhere()
  const queries = useQueryClient()
  const [{ view, player, proposed }, show] = useUrlState(shownCodec)
  /** What the draft began with. It stays while somebody else publishes; the review then brings both together. */
  const [base, setBase] = useState(configuration)
  const [draft, setDraft] = useState<Draft>(() => ({
    document: applied(base.configuration, proposed),
    privacy: base.privacy
  }))
  const [isReadable, setReadable] = useState(true)
  const [open, setOpen] = useState<Open>(null)
  const [published, setPublished] = useState<Published | null>(null)
  const experiments = useExperiments(where, may("experiments:read"))
  const locks = useMemo(() => locksOn(experiments.data ?? [], base.id), [experiments.data, base.id])
  const configurations = useConfigurations(where)
  const names = useMemo(() => new Map(configurations.data?.map(({ id, name }) => [id, name])), [configurations.data])
  const original = useMemo((): Draft => ({ document: base.configuration, privacy: base.privacy }), [base])
  const isChanged = !isSameDraft(original, draft)
  const isReadOnly = !may("configurations:write")

  // A new version replaces a draft that has no change of its own.
  const isNewer = configuration.version !== base.version || configuration.updatedAt !== base.updatedAt
  if (isNewer && !isChanged) {
    setBase(configuration)
    setDraft({ document: configuration.configuration, privacy: configuration.privacy })
  }

  useEffect(() => {
    if (!isChanged) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", warn)
    return () => window.removeEventListener("beforeunload", warn)
  }, [isChanged])

  /** Goes on with this draft, and no more with what the address proposed. */
  const begin = (next: Draft) => {
    setDraft(next)
    setReadable(true)
    if (proposed.length > 0) show((shown) => ({ ...shown, proposed: [] }), { replace: true })
  }
  const take = (next: Configuration) => {
    queries.setQueryData(configurationQuery(where, base.id).queryKey, next)
    void queries.invalidateQueries({ queryKey: configurationsKey(where) })
    void queries.invalidateQueries({ queryKey: ["configuration-versions", where, base.id] })
    setBase(next)
    begin({ document: next.configuration, privacy: next.privacy })
  }
  const onPublished = (next: Configuration, before: number) => {
    take(next)
    setOpen(null)
    setPublished({ configuration: next, before })
  }
  const undoing = useMutation({
    mutationFn: (version: number) =>
      call("configurations.revert", {
        path: { applicationId: where.applicationId, configurationId: base.id },
        environment: where.environmentId,
        body: { version, reason: "Undone at once" }
      }),
    onSuccess: (next) => {
      take(next)
      setPublished(null)
    }
  })
  const count =
    diff(original.document, draft.document).length +
    pathsWithout(draft.privacy, original.privacy).length +
    pathsWithout(original.privacy, draft.privacy).length
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <p className="crumbs">
            <Link href={`/p/${applicationId}/${environment.alias}/configurations`}>Configurations</Link>
          </p>
          <h1>{base.name}</h1>
          <p>
            {base.isPrimary && <span className="tag">Primary</span>} Version {base.version}, published{" "}
            {momentText(base.updatedAt, timezone)}
            {base.updatedBy !== null && ` by ${base.updatedBy.email}`}. {base.description}
          </p>
        </div>
        <div className="row">
          <button type="button" className="button" disabled={isReadOnly} onClick={() => setOpen("details")}>
            Details
          </button>
          <button type="button" className="button" disabled={isReadOnly} onClick={() => setOpen("copy")}>
            Copy to …
          </button>
        </div>
      </header>
      {proposed.length > 0 && isChanged && (
        <Callout>The address of this page has filled in the draft. Look at each change before you publish it.</Callout>
      )}
      {isReadOnly && <p className="faint">You may look at this, not change it. {lacking}</p>}
      <section className="card" aria-label={base.name}>
        <div className="toolbar">
          <Segmented
            label="View"
            value={view}
            choices={views}
            onChoose={(next) => show((shown) => ({ ...shown, view: next }))}
          />
        </div>
        {view === "history" ? (
          <History
            configuration={base}
            refused={isReadOnly ? lacking : isChanged ? unpublished : null}
            onPublished={onPublished}
          />
        ) : view === "player" ? (
          <AsPlayer
            configuration={base}
            player={player}
            onChoose={(next) => show((shown) => ({ ...shown, player: next }))}
          />
        ) : view === "json" ? (
          <JsonEditor
            configurationId={base.id}
            draft={draft}
            locks={locks}
            isReadOnly={isReadOnly}
            onChange={(document) => {
              setReadable(document !== null)
              if (document !== null) setDraft({ ...draft, document })
            }}
          />
        ) : (
          <FormEditor
            draft={draft}
            locks={locks}
            descriptions={base.keyDescriptions}
            names={names}
            isReadOnly={isReadOnly}
            onChange={setDraft}
          />
        )}
      </section>
      {(isChanged || !isReadable) && (
        <div className="draft-bar" role="region" aria-label="Draft">
          <span aria-live="polite">
            {isReadable
              ? `${count} ${count === 1 ? "change is" : "changes are"} in your draft. No game has ${count === 1 ? "it" : "them"} yet.`
              : "The text is no JSON yet."}
          </span>
          <span className="row">
            <button type="button" className="button" onClick={() => begin(original)}>
              Discard
            </button>
            <button
              type="button"
              className="button button-primary"
              disabled={!isReadable || isReadOnly}
              onClick={() => setOpen("review")}
            >
              Review
            </button>
          </span>
        </div>
      )}
      {open === "review" && (
        <Review base={base} draft={draft} onClose={() => setOpen(null)} onPublished={onPublished} />
      )}
      {open === "details" && (
        <Details
          configuration={base}
          onClose={() => setOpen(null)}
          onChanged={() => {
            setOpen(null)
            void queries.invalidateQueries({ queryKey: configurationQuery(where, base.id).queryKey })
            void queries.invalidateQueries({ queryKey: configurationsKey(where) })
          }}
        />
      )}
      {open === "copy" && <CopySheet configuration={base} onClose={() => setOpen(null)} />}
      {published !== null && (
        <UndoToast
          key={published.configuration.version}
          text={`Version ${published.configuration.version} is live in ${environment.name}.`}
          error={undoing.error?.message ?? null}
          isBusy={undoing.isPending}
          onUndo={() => undoing.mutate(published.before)}
          onGone={() => setPublished(null)}
        />
      )}
    </div>
  )
}
