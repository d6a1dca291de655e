import { useState } from "react"
import { Link, useParams } from "wouter"
import { useCohorts } from "../api/queries.ts"
import { filterText } from "../builder/Filters.ts"
import { UnansweredPage } from "../shell/UnansweredPage.tsx"
import { MissingPage } from "../shell/MissingPage.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { bucketName, hourText, zonedText } from "../text/Times.ts"
import { deniedText } from "../text/Denied.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Callout, Failed, Skeleton } from "../ui/States.tsx"
import { readable } from "../url/Codec.ts"
import { namesExperiments, useChoices } from "./Choices.ts"
import type { Cohort, Usage } from "./CohortQueries.ts"
import { useCohort, useCohortChanges, useCohortWrites, useUsage } from "./CohortQueries.ts"
import { CohortStatus } from "./Cohorts.tsx"
import { measuringAlone, referringTo, stateOf } from "./CohortWords.ts"
import { DeleteDialog } from "./DeleteDialog.tsx"
import { Development } from "./Development.tsx"
import { Members } from "./Members.tsx"
import { groupOf } from "./RulesOf.ts"
import { sentenceOf } from "./RuleWords.ts"
import { useOnward } from "../url/useOnward.ts"
import "../theme/cohorts.css"

/** The question page, narrowed to the cohort. */
const questionAbout = ({ id, name }: Cohort): string =>
  readable(new URLSearchParams({ f: filterText({ source: "cohort", name, operator: "isIn", values: [String(id)] }) }))

const Uses = ({ usage, referring }: { readonly usage: Usage; readonly referring: ReadonlyArray<Cohort> }) => {
  const { applicationId, environment } = useProject()
  const place = `/p/${applicationId}/${environment.alias}`
  const { experiments, metricExperiments, queries } = usage
  const isUsed = experiments.length + metricExperiments.length + queries.length + referring.length > 0
  return (
    <section className="card" aria-label="Used by">
      <h2>Used by</h2>
      {isUsed ? (
        <ul className="uses">
          {experiments.map(({ id, name, status }) => (
            <li key={`experiment ${id}`}>
              <Link href={`${place}/experiments/${id}`}>{name}</Link>{" "}
              <span className="faint">experiment, {status}</span>
            </li>
          ))}
          {measuringAlone(usage).map(({ id, name, status }) => (
            <li key={`experiment ${id}`}>
              <Link href={`${place}/experiments/${id}`}>{name}</Link>{" "}
              <span className="faint">a metric of this experiment, {status}</span>
            </li>
          ))}
          {queries.map(({ id, name }) => (
            <li key={`query ${id}`}>
              {name} <span className="faint">saved question</span>
            </li>
          ))}
          {referring.map(({ id, name }) => (
            <li key={`cohort ${id}`}>
              <Link href={`${place}/cohorts/${id}`}>{name}</Link> <span className="faint">cohort</span>
            </li>
          ))}
        </ul>
      ) : (
        <p className="faint">Nobody yet. Ask about these players, or aim an experiment at them.</p>
      )}
    </section>
  )
}

const States = ({ cohort }: { readonly cohort: Cohort }) => {
  const state = stateOf(cohort)
  if (state === "failed") {
    return (
      <Callout tone="bad">
        The last computation failed: {cohort.error ?? "no reason was given"}. The members below are those of the one
        before; it is tried again by itself.
      </Callout>
    )
  }
  if (state === "collecting")
    return <Callout>The first members are being collected. This page shows them by itself.</Callout>
  return state === "computing" ? (
    <Callout>The members are being computed anew. Until they are complete, those of before stay.</Callout>
  ) : null
}

interface ActionsProps {
  readonly cohort: Cohort
  readonly onDelete: () => void
}

const Actions = ({ cohort, onDelete }: ActionsProps) => {
  const { applicationId, environment, may } = useProject()
  const place = `/p/${applicationId}/${environment.alias}`
  const isAllowed = may("cohorts:write")
  const denied = isAllowed ? null : deniedText("cohorts:write")
  return (
    <div className="row">
      <Link className="button button-primary" href={`${place}/insights${questionAbout(cohort)}`}>
        <Icon name="chart" size={14} />
        Ask about them
      </Link>
      {isAllowed ? (
        <Link className="button" href={`${place}/cohorts/${cohort.id}/edit`}>
          Edit
        </Link>
      ) : (
        <DeniableButton denied={denied}>Edit</DeniableButton>
      )}
      <DeniableButton denied={denied} onClick={onDelete}>
        Delete
      </DeniableButton>
    </div>
  )
}

const Shown = ({ cohort }: { readonly cohort: Cohort }) => {
  const { applicationId, environment, timezone } = useProject()
  const where = useWhere()
  const onward = useOnward()
  const [isDeleting, setDeleting] = useState(false)
  const all = useCohorts(where)
  useCohortChanges(where)
  const usage = useUsage(where, cohort.id, cohort.computedAt)
  const group = cohort.definition === null ? null : groupOf(cohort.definition, timezone)
  const choices = useChoices(where, cohort.id, group !== null && namesExperiments(group))
  const { remove } = useCohortWrites(where)
  const referring = referringTo(all.data ?? [], timezone).get(cohort.id) ?? []
  const isCollecting = stateOf(cohort) === "collecting"
  const deleted = () => onward(`/p/${applicationId}/${environment.alias}/cohorts`)
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{cohort.name}</h1>
          <p>{cohort.description ?? (group === null ? "The players of a list" : "Kept up to date by itself")}</p>
        </div>
        <Actions cohort={cohort} onDelete={() => setDeleting(true)} />
      </header>
      <States cohort={cohort} />
      <section className="card cohort-facts" aria-label="Cohort">
        <p className="cohort-size">
          <b>{isCollecting ? "–" : numberText(cohort.memberCount)}</b>{" "}
          {cohort.memberCount === 1 && !isCollecting ? "player" : "players"}
        </p>
        <p className="cohort-rules">
          {group === null ? "The players of a list." : `${sentenceOf(group, choices.names)}.`}
        </p>
        <p className="faint">
          <CohortStatus cohort={cohort} />
          {cohort.computedAt !== null && ` as of ${zonedText(cohort.computedAt, timezone, timezone, hourText)}`}
          {`, made ${bucketName(cohort.createdAt, "day", timezone)}`}
          {cohort.createdBy !== null && ` by ${cohort.createdBy.email}`}
        </p>
      </section>
      {usage.data === undefined ? (
        usage.error === null ? (
          <Skeleton />
        ) : (
          <Failed error={usage.error} retry={() => void usage.refetch()} />
        )
      ) : (
        <div className="cohort-both">
          <Development cohort={cohort} usage={usage.data} />
          <Uses usage={usage.data} referring={referring} />
        </div>
      )}
      <Members cohort={cohort} />
      {isDeleting && (
        <DeleteDialog
          cohort={cohort}
          usage={usage.data}
          referring={referring}
          error={remove.error}
          isPending={remove.isPending}
          onDelete={() => remove.mutate(cohort.id, { onSuccess: deleted })}
          onClose={() => setDeleting(false)}
        />
      )}
    </div>
  )
}

/** One cohort: who belongs, how that developed, and who uses it. */
export const CohortPage = () => {
  const { cohortId } = useParams<{ readonly cohortId: string }>()
  const cohort = useCohort(useWhere(), Number(cohortId))
  const { data, error } = cohort
  if (data !== undefined) return <Shown key={data.id} cohort={data} />
  return error !== null && "code" in error && error.code === "COHORT_NOT_FOUND" ? (
    <MissingPage title="There is no such cohort" list="cohorts">
      It was deleted, or belongs to another environment.
    </MissingPage>
  ) : (
    <UnansweredPage error={error} retry={() => void cohort.refetch()} />
  )
}
