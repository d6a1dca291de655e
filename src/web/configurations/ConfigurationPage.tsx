import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import { isMismatch } from "../api/Failure.ts"
import { UnansweredPage } from "../shell/UnansweredPage.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { deniedText } from "../text/Denied.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Callout } from "../ui/States.tsx"
import { UndoToast } from "./UndoToast.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { configurationQuery, configurationsKey, useConfigurations, useExperiments } from "./ConfigurationQueries.ts"
import type { Configuration } from "./ConfigurationQueries.ts"
import { AsPlayer } from "./AsPlayer.tsx"
import { CopySheet } from "./CopySheet.tsx"
import { Details } from "./Details.tsx"
import type { ConfigurationDraft } from "./Draft.ts"
import { DraftBar } from "./DraftBar.tsx"
import { FormEditor } from "./FormEditor.tsx"
import { History } from "./History.tsx"
import { JsonEditor } from "./json/JsonEditor.tsx"
import { locksOn } from "./Locks.ts"
import { conflictsIn } from "./Meanwhile.ts"
import { MeanwhileNotice } from "./MeanwhileNotice.tsx"
import { Review } from "./Review.tsx"
import { shownCodec, views } from "./ShownState.ts"
import { useConfigurationDraft } from "./useConfigurationDraft.ts"

const lacking = deniedText("configurations:write")

/** Why no version can be brought back over a draft. */
const unpublished = "Publish or discard your changes first"

const undoRefusal = (error: Error): string =>
  isMismatch(error)
    ? "Somebody has published since: undoing would take that back as well. History has every version."
    : error.message

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
  return <UnansweredPage error={configuration.error} retry={() => void configuration.refetch()} />
}

/** One configuration: its draft, which nobody else sees, and what has been published. */
const Editor = ({ configuration }: { readonly configuration: Configuration }) => {
  const { applicationId, environment, may } = useProject()
  const where = useWhere()
  const queries = useQueryClient()
  const [{ view, player, proposed }, show] = useUrlState(shownCodec)
  const { begun, isChanged, wasKept, change, discard } = useConfigurationDraft(configuration, proposed)
  const { draft, unread, begunOn } = begun
  /** Whether the address of this page has filled in the draft, also after it was dropped from the address. */
  const [wasProposed, setProposed] = useState(false)
  const isProposed = (wasProposed || proposed.length > 0) && isChanged
  const [open, setOpen] = useState<Open>(null)
  const [published, setPublished] = useState<Published | null>(null)
  const experiments = useExperiments(where, may("experiments:read"))
  const locks = useMemo(() => locksOn(experiments.data ?? [], configuration.id), [experiments.data, configuration.id])
  const configurations = useConfigurations(where)
  const names = useMemo(() => new Map(configurations.data?.map(({ id, name }) => [id, name])), [configurations.data])
  const isReadOnly = !may("configurations:write")
  const denied = isReadOnly ? lacking : null

  /** Goes on with no more of what the address proposed than the draft has taken over. */
  const dropProposal = () => {
    if (proposed.length > 0) show((shown) => ({ ...shown, proposed: [] }), { replace: true })
  }
  const edit = (next: ConfigurationDraft, text: string | null = null) => {
    change(next, text)
    setProposed(isProposed)
    dropProposal()
  }
  const drop = () => {
    discard()
    setProposed(false)
    dropProposal()
  }
  const take = (next: Configuration) => {
    queries.setQueryData(configurationQuery(where, next.id).queryKey, next)
    void queries.invalidateQueries({ queryKey: configurationsKey(where) })
    void queries.invalidateQueries({ queryKey: ["configuration-versions", where, next.id] })
  }
  const onPublished = (next: Configuration, before: number) => {
    take(next)
    drop()
    setOpen(null)
    undoing.reset()
    setPublished({ configuration: next, before })
  }
  const undoing = useMutation({
    // What somebody else has published since is not undone with it.
    mutationFn: ({ configuration: { id, hash }, before }: Published) =>
      call("configurations.revert", {
        path: { applicationId: where.applicationId, configurationId: id },
        environment: where.environmentId,
        body: { version: before, baseHash: hash, reason: "Undone at once" }
      }),
    onSuccess: (next) => {
      take(next)
      setPublished(null)
    }
  })
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <p className="crumbs">
            <Link href={`/p/${applicationId}/${environment.alias}/configurations`}>Configurations</Link>
          </p>
          <h1>{configuration.name}</h1>
          <p>
            {configuration.isPrimary && <span className="tag">Primary</span>} Version {configuration.version}, published{" "}
            <Moment at={configuration.updatedAt} />
            {configuration.updatedBy !== null && ` by ${configuration.updatedBy.email}`}. {configuration.description}
          </p>
        </div>
        <div className="row">
          <DeniableButton denied={denied} onClick={() => setOpen("details")}>
            Details
          </DeniableButton>
          <DeniableButton denied={denied} onClick={() => setOpen("copy")}>
            Copy to …
          </DeniableButton>
        </div>
      </header>
      {wasKept && isChanged && <KeptNotice what="Your draft" />}
      {begunOn !== null && isChanged && (
        <MeanwhileNotice
          live={configuration}
          begunOn={begunOn}
          conflicts={conflictsIn(begun)}
          advice="The review asks whose value stands."
        />
      )}
      {isProposed && (
        <Callout>The address of this page has filled in the draft. Look at each change before you publish it.</Callout>
      )}
      {isReadOnly && <p className="faint">You may look at this, not change it. {lacking}</p>}
      <section className="card" aria-label={configuration.name}>
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
            configuration={configuration}
            refused={denied ?? (isChanged ? unpublished : null)}
            onPublished={onPublished}
          />
        ) : view === "player" ? (
          <AsPlayer
            configuration={configuration}
            player={player}
            onChoose={(next) => show((shown) => ({ ...shown, player: next }))}
          />
        ) : view === "json" ? (
          <JsonEditor
            configurationId={configuration.id}
            draft={draft}
            unread={unread}
            locks={locks}
            isReadOnly={isReadOnly}
            onChange={(document, text) => (document === null ? edit(draft, text) : edit({ ...draft, document }))}
          />
        ) : (
          <FormEditor
            draft={draft}
            locks={locks}
            descriptions={configuration.keyDescriptions}
            names={names}
            isReadOnly={isReadOnly}
            onChange={edit}
          />
        )}
      </section>
      {isChanged && (
        <DraftBar
          live={configuration}
          draft={draft}
          isReadable={unread === null}
          denied={denied}
          onDiscard={drop}
          onReview={() => setOpen("review")}
        />
      )}
      {open === "review" && (
        <Review live={configuration} begun={begun} onClose={() => setOpen(null)} onPublished={onPublished} />
      )}
      {open === "details" && (
        <Details
          configuration={configuration}
          onClose={() => setOpen(null)}
          onChanged={() => {
            setOpen(null)
            void queries.invalidateQueries({ queryKey: configurationQuery(where, configuration.id).queryKey })
            void queries.invalidateQueries({ queryKey: configurationsKey(where) })
          }}
        />
      )}
      {open === "copy" && <CopySheet configuration={configuration} onClose={() => setOpen(null)} />}
      {published !== null && (
        <UndoToast
          key={published.configuration.version}
          text={`Version ${published.configuration.version} is live in ${environment.name}.`}
          error={undoing.error === null ? null : undoRefusal(undoing.error)}
          isBusy={undoing.isPending}
          onUndo={() => undoing.mutate(published)}
          onGone={() => setPublished(null)}
        />
      )}
    </div>
  )
}
