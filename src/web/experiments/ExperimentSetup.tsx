import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { Link } from "wouter"
import { useCohorts } from "../api/queries.ts"
import { configurationQuery } from "../configurations/ConfigurationQueries.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { KeptNotice } from "../ui/kept/KeptNotice.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Callout } from "../ui/States.tsx"
import type { Experiment } from "./ExperimentWords.ts"
import { isOpen, lacking, statusWords, unitsWord, unitWord } from "./ExperimentWords.ts"
import { unitMetricWords } from "./MetricWords.ts"
import { EditForm, useEdits } from "./setup/EditForm.tsx"
import { EndSheet } from "./setup/EndSheet.tsx"
import { GroupsCard } from "./setup/GroupsCard.tsx"
import { RolloutCard } from "./setup/RolloutCard.tsx"
import { targetingWords } from "./TargetingWords.ts"
import "../theme/configurations.css"
import "../theme/experiments.css"
import "../theme/experimentSetup.css"
import "../theme/dialog.css"
import "../theme/readOnly.css"

const Facts = ({ experiment, baseName }: { readonly experiment: Experiment; readonly baseName: string }) => {
  const { applicationId, environment, may } = useProject()
  const where = useWhere()
  const cohorts = useCohorts(where, may("cohorts:read"))
  const { targeting, exclusionLayer, holdoutPercent, metrics, baseConfigurationId, permanentEnrollment } = experiment
  const cohortName = (id: number) => cohorts.data?.find((cohort) => cohort.id === id)?.name ?? `cohort ${id}`
  const rows = [
    ...metrics.goals.map((metric) => ["Goal", metric] as const),
    ...metrics.guardrails.map((metric) => ["Guardrail", metric] as const)
  ]
  const unit = unitWord(experiment)
  const [isEditing, edit] = useState(false)
  const reason = !may("experiments:write") ? lacking : isOpen(experiment) ? undefined : "The experiment is over."
  const edits = useEdits(where, experiment.id)
  if (isEditing) return <EditForm experiment={experiment} edits={edits} onClose={() => edit(false)} />
  return (
    <section className="card" aria-label="Who and what for">
      <div className="toolbar">
        <h2>Who and what for</h2>
        <span className="toolbar-end">
          <DeniableButton denied={reason ?? null} look="button-small" onClick={() => edit(true)}>
            Edit name, notes and goals
          </DeniableButton>
        </span>
      </div>
      {edits.wasKept && reason === undefined && (
        <KeptNotice what="What you changed of this" onDiscard={edits.discard}>
          <button type="button" className="button button-small" onClick={() => edit(true)}>
            Go on with it
          </button>{" "}
        </KeptNotice>
      )}
      <dl className="setup-facts">
        <div>
          <dt>Who</dt>
          <dd>{targetingWords(targeting, cohortName, experiment.unitType)}</dd>
        </div>
        <div>
          <dt>Base</dt>
          <dd>
            <Link href={`/p/${applicationId}/${environment.alias}/configurations/${baseConfigurationId}`}>
              {baseName}
            </Link>
          </dd>
        </div>
        <div>
          <dt>Layer</dt>
          <dd>
            {exclusionLayer === null
              ? `None: ${unit}s may be in other experiments as well`
              : `${exclusionLayer}: a ${unit} is in one of its experiments at most`}
          </dd>
        </div>
        {holdoutPercent > 0 && (
          <div>
            <dt>Held out</dt>
            <dd>
              {holdoutPercent} % of {unit}s never come in
            </dd>
          </div>
        )}
        <div>
          <dt>Once in</dt>
          <dd>
            {permanentEnrollment
              ? `A ${unit} stays in the group`
              : `A ${unit} leaves ${unit === "player" ? "who" : "that"} no longer meets the conditions`}
          </dd>
        </div>
        {experiment.description !== null && (
          <div>
            <dt>Notes</dt>
            <dd>{experiment.description}</dd>
          </div>
        )}
        <div>
          <dt>Started</dt>
          <dd>
            <Moment at={experiment.startsAt} />
          </dd>
        </div>
        {rows.map(([role, metric]) => (
          <div key={metric.id}>
            <dt>{role}</dt>
            <dd>
              <b>{metric.name}</b>: {unitMetricWords(unit, metric)}
            </dd>
          </div>
        ))}
        {rows.length === 0 && (
          <div>
            <dt>Goals</dt>
            <dd>None: nobody will know whether it worked.</dd>
          </div>
        )}
      </dl>
    </section>
  )
}

/** How an experiment is set up, and everything that can be done to it while it runs. */
export const ExperimentSetup = ({ experiment }: { readonly experiment: Experiment }) => {
  const { may } = useProject()
  const where = useWhere()
  const base = useQuery({
    ...configurationQuery(where, experiment.baseConfigurationId),
    enabled: may("configurations:read")
  })
  const [isEnding, end] = useState(false)
  const { status, terminationReason, terminatedAt, winnerGroupId, groups } = experiment
  const reason = !may("experiments:write") ? lacking : isOpen(experiment) ? undefined : "The experiment is over."
  const winner = groups.find(({ id }) => id === winnerGroupId)
  return (
    <div className="setup-page">
      {!may("experiments:write") && <Callout>You may look at this, not change it. {lacking}</Callout>}
      {experiment.degraded && (
        <Callout tone="bad">
          A group changes a value that the base no longer has, so its {unitsWord(experiment)} get the base there.
        </Callout>
      )}
      {terminatedAt !== null && (
        <Callout tone="good">
          {statusWords[status]} <Moment at={terminatedAt} />
          {winner === undefined ? ", without a winner" : `; ${winner.label ?? winner.name} won`}
          {terminationReason === null ? "" : `: “${terminationReason}”`}
        </Callout>
      )}
      <RolloutCard experiment={experiment} />
      <GroupsCard experiment={experiment} base={base.data?.configuration} />
      <Facts experiment={experiment} baseName={base.data?.name ?? `configuration ${experiment.baseConfigurationId}`} />
      <section className="card setup-end" aria-label="End">
        <div>
          <h2>End it</h2>
          <p className="faint">
            Choose a winner or none, and see what is written to the base before it is. Nothing starts it again.
          </p>
        </div>
        <DeniableButton denied={reason ?? null} look="button-danger" onClick={() => end(true)}>
          End and decide …
        </DeniableButton>
      </section>
      {isEnding && <EndSheet experiment={experiment} base={base.data} onClose={() => end(false)} />}
    </div>
  )
}
