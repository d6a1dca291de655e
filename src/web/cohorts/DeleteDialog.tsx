import { ApiFailure } from "../api/Failure.ts"
import { ConfirmDialog } from "../ui/dialogs/ConfirmDialog.tsx"
import type { Cohort, Usage } from "./CohortQueries.ts"
import { enrolling } from "./CohortWords.ts"

interface Props {
  readonly cohort: Cohort
  readonly usage: Usage | undefined
  readonly referring: ReadonlyArray<Cohort>
  readonly error: Error | null
  readonly isPending: boolean
  readonly onDelete: () => void
  readonly onClose: () => void
}

const Names = ({ title, names }: { readonly title: string; readonly names: ReadonlyArray<string> }) =>
  names.length === 0 ? null : (
    <li>
      {title}: <b>{names.join(", ")}</b>
    </li>
  )

/** Why the cohort is still there. */
const refusalOf = (error: Error | null): Error | null =>
  error instanceof ApiFailure && error.code === "COHORT_IN_USE"
    ? new Error(`${error.message}. Remove it there first.`)
    : error

/** Asks before a cohort is deleted, and names what depends on it. */
export const DeleteDialog = ({ cohort, usage, referring, error, isPending, onDelete, onClose }: Props) => {
  const experiments = usage === undefined ? [] : enrolling(usage)
  const isHeld = experiments.length > 0 || referring.length > 0
  return (
    <ConfirmDialog
      title={`Delete ${cohort.name}?`}
      action="Delete the cohort"
      cancel="Keep it"
      error={refusalOf(error)}
      isPending={isHeld || isPending}
      onConfirm={onDelete}
      onClose={onClose}
    >
      {isHeld ? (
        <>
          <p>It cannot be deleted while these need it:</p>
          <ul>
            <Names title="Experiments aimed at it" names={experiments.map(({ name }) => name)} />
            <Names title="Cohorts whose rules name it" names={referring.map(({ name }) => name)} />
          </ul>
        </>
      ) : (
        <p>Its members, its history and its rules are gone for good. The players and their markers stay.</p>
      )}
      {usage !== undefined && usage.queries.length > 0 && (
        <>
          <p>These saved questions name it and will not be answered any more:</p>
          <ul>
            <Names title="Questions" names={usage.queries.map(({ name }) => name)} />
          </ul>
        </>
      )}
      {usage !== undefined && usage.metricExperiments.length > 0 && (
        <>
          <p>These experiments have a metric that is narrowed to it, of which their results will say nothing:</p>
          <ul>
            <Names title="Experiments" names={usage.metricExperiments.map(({ name }) => name)} />
          </ul>
        </>
      )}
    </ConfirmDialog>
  )
}
