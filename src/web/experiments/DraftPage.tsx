import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import type { AnyExperiment } from "../api/Started.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { ChangedMeanwhile } from "../ui/kept/ChangedMeanwhile.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Callout } from "../ui/States.tsx"
import { useKept } from "../ui/kept/useKept.ts"
import { CopyButton } from "./CopyButton.tsx"
import { planBody } from "./create/PlanBody.ts"
import { planPlace, planShape } from "./create/PlanDraft.ts"
import { PlanBar } from "./create/PlanBar.tsx"
import { PlanForm } from "./create/PlanForm.tsx"
import { planOfRecord } from "./create/PlanOfRecord.ts"
import { usePlan } from "./create/usePlan.ts"
import { lacking } from "./ExperimentWords.ts"
import { RemoveDraft } from "./RemoveDraft.tsx"
import { useOnward } from "../url/useOnward.ts"

/** A draft of an experiment: everything of it can be changed, until it is started. */
export const DraftPage = ({ record }: { readonly record: AnyExperiment }) => {
  const { applicationId, environmentId, environment, timezone, may } = useProject()
  const where = useWhere()
  const client = useQueryClient()
  const onward = useOnward()
  const { id, name, createdBy, createdAt } = record
  const [now] = useState(() => Date.now())
  const ofServer = useMemo(() => planOfRecord(record, timezone), [record, timezone])
  const { draft: typed, wasKept, change, discard } = useKept(planPlace(environmentId, id), planShape)
  const [isTried, setTried] = useState(false)
  const [isRemoving, remove] = useState(false)
  const draft = typed ?? ofServer
  const plan = usePlan(draft, now)
  const isAllowed = may("experiments:write")
  const list = `/p/${applicationId}/${environment.alias}/experiments`
  const at = { path: { applicationId, experimentId: id }, environment: environmentId }
  const refresh = () =>
    Promise.all(["experiments", "experiment"].map((queryKey) => client.invalidateQueries({ queryKey: [queryKey] })))
  const write = async () => {
    const { basedOn } = draft
    const body = { ...planBody(draft, timezone, plan.types), ...(basedOn === null ? {} : { basedOn }) }
    const written = await call("experimentDrafts.replace", { ...at, body })
    client.setQueryData(["experiment", where, id], written)
    discard()
    return written
  }
  const saving = useMutation({ mutationFn: write, onSuccess: refresh, onError: refresh })
  const starting = useMutation({
    mutationFn: async () => {
      const { updatedAt } = typed === null ? record : await write()
      return call("experimentDrafts.start", { ...at, body: { basedOn: updatedAt } })
    },
    onSuccess: async () => {
      await refresh()
      onward(`${list}/${id}?tab=setup`)
    },
    // Somebody else may have started or deleted it.
    onError: refresh
  })
  const removed = () => {
    discard()
    onward(list)
  }
  const attempt = (mutation: typeof saving | typeof starting, other: typeof saving | typeof starting) => {
    other.reset()
    mutation.mutate()
  }
  const decide = (mine: boolean) => {
    saving.reset()
    starting.reset()
    if (mine) change((present) => (present === null ? null : { ...present, basedOn: record.updatedAt }))
    else discard()
  }
  const isOutdated = typed !== null && typed.basedOn !== null && typed.basedOn !== record.updatedAt
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <p className="crumbs">
            <Link href={list}>Experiments</Link>
          </p>
          <div className="experiment-title">
            <h1>{name}</h1>
            <span className="pill">Draft</span>
          </div>
          <p>
            {createdBy === null ? "Begun" : `Begun by ${createdBy.email}`} on <Moment at={createdAt} />. It holds
            nothing and takes no players before it is started.
          </p>
        </div>
        <span className="row">
          {typed !== null && (
            <button type="button" className="button" onClick={discard}>
              Discard changes
            </button>
          )}
          <CopyButton experimentId={id} />
          <DeniableButton denied={isAllowed ? null : lacking} look="button-danger" onClick={() => remove(true)}>
            Delete draft
          </DeniableButton>
        </span>
      </header>
      {wasKept && <KeptNotice what="What you changed of this draft" />}
      {!isAllowed && <Callout>You may look at this draft, not change or start it. {lacking}</Callout>}
      {isOutdated && <ChangedMeanwhile what="this draft" onTheirs={() => decide(false)} onMine={() => decide(true)} />}
      <PlanForm
        draft={draft}
        plan={plan}
        isTried={isTried}
        now={now}
        onChange={(part) => change((present) => ({ ...(present ?? ofServer), ...part }))}
      />
      <PlanBar
        label="Save or start the draft"
        draft={draft}
        problems={plan.problems}
        isTried={isTried}
        error={starting.error ?? saving.error}
        isBusy={saving.isPending || starting.isPending}
        saved={typed === null}
        onTry={() => setTried(true)}
        onSave={() => attempt(saving, starting)}
        onStart={() => attempt(starting, saving)}
      />
      {isRemoving && <RemoveDraft record={record} onClose={() => remove(false)} onDone={removed} />}
    </div>
  )
}
