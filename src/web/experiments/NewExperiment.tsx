import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Link, useSearch } from "wouter"
import { call } from "../api/client.ts"
import { place } from "../api/queries.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { Callout } from "../ui/States.tsx"
import { useKept } from "../ui/kept/useKept.ts"
import { planBody } from "./create/PlanBody.ts"
import type { PlanDraft } from "./create/PlanDraft.ts"
import { freshPlan, planPlace, planShape } from "./create/PlanDraft.ts"
import { PlanBar } from "./create/PlanBar.tsx"
import { PlanForm } from "./create/PlanForm.tsx"
import { usePlan } from "./create/usePlan.ts"
import { lacking } from "./ExperimentWords.ts"
import { useOnward } from "../url/useOnward.ts"

/** A new experiment on one page. It stays in this browser until it is saved as a draft or started. */
export const NewExperiment = () => {
  const { applicationId, environmentId, environment, timezone, may } = useProject()
  const where = useWhere()
  const client = useQueryClient()
  const onward = useOnward()
  const cohort = Number(new URLSearchParams(useSearch()).get("cohort"))
  const [now] = useState(() => Date.now())
  const [fresh] = useState(() => freshPlan(cohort > 0 ? [cohort] : []))
  const typed = useKept(planPlace(environmentId), planShape)
  const draft = typed.draft ?? fresh
  const [isTried, setTried] = useState(false)
  const plan = usePlan(draft, now)
  const list = `/p/${applicationId}/${environment.alias}/experiments`
  const change = (part: Partial<PlanDraft>) => typed.change((present) => ({ ...(present ?? fresh), ...part }))
  const creating = useMutation({
    mutationFn: (status: "draft" | undefined) =>
      call("experiments.create", {
        ...place(where),
        body: { ...planBody(draft, timezone, plan.types), ...(status === undefined ? {} : { status }) }
      }),
    onSuccess: async ({ id, status }) => {
      typed.discard()
      await client.invalidateQueries({ queryKey: ["experiments"] })
      onward(`${list}/${id}${status === "draft" ? "" : "?tab=setup"}`)
    }
  })
  const discard = () => {
    typed.discard()
    setTried(false)
  }
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <p className="crumbs">
            <Link href={list}>Experiments</Link>
          </p>
          <h1>New experiment</h1>
          <p>Some players get other values, and what they do is compared. Nobody sees this before you save it.</p>
        </div>
        {typed.draft !== null && (
          <button type="button" className="button" onClick={discard}>
            Discard the draft
          </button>
        )}
      </header>
      {typed.wasKept && <KeptNotice what="Your plan" />}
      {!may("experiments:write") && <Callout>You may plan an experiment here, not make it. {lacking}</Callout>}
      <PlanForm draft={draft} plan={plan} isTried={isTried} now={now} onChange={change} />
      <PlanBar
        label="Make the experiment"
        draft={draft}
        problems={plan.problems}
        isTried={isTried}
        error={creating.error}
        isBusy={creating.isPending}
        saved={null}
        onTry={() => setTried(true)}
        onSave={() => creating.mutate("draft")}
        onStart={() => creating.mutate(undefined)}
      />
    </div>
  )
}
