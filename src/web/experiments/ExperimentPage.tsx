import { Link, useParams } from "wouter"
import { useFollow } from "../api/Follow.ts"
import { loadable, skeleton } from "../ui/Loadable.tsx"
import { CopyButton } from "./CopyButton.tsx"
import { isStarted } from "../api/Started.ts"
import { ApiFailure } from "../api/Failure.ts"
import { UnansweredPage } from "../shell/UnansweredPage.tsx"
import { MissingPage } from "../shell/MissingPage.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { bucketName } from "../text/Times.ts"
import { Segmented } from "../ui/Segmented.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import type { Experiment } from "./ExperimentWords.ts"
import { percentWords, statusWords, unitsWord } from "./ExperimentWords.ts"
import { useExperiment } from "./ExperimentQueries.ts"
import type { ExperimentState } from "./ExperimentState.ts"
import { experimentCodec } from "./ExperimentState.ts"
import { Results } from "./results/Results.tsx"
import "../theme/experimentResults.css"

const ExperimentSetup = loadable(
  () => import("./ExperimentSetup.tsx").then((chunk) => ({ default: chunk.ExperimentSetup })),
  skeleton()
)

const DraftPage = loadable(() => import("./DraftPage.tsx").then((chunk) => ({ default: chunk.DraftPage })), skeleton())

const tabs = [
  ["results", "Results"],
  ["setup", "Setup"]
] as const

const followed = ["experiment", "experiment rollout", "experiments"]

/** Phase, owner and dates in one line. */
const factsOf = (
  { unitType, phases, rollout, createdBy, startsAt, endsAt, terminatedAt }: Experiment,
  timezone: string
) => {
  const day = (instant: string) => bucketName(instant, "day", timezone)
  const end = terminatedAt ?? endsAt
  return [
    ...(phases.length === 0 ? [] : [`phase ${phases.length}`]),
    percentWords(rollout.percent, unitsWord({ unitType })),
    ...(createdBy === null ? [] : [`by ${createdBy.email}`]),
    end === null ? `since ${day(startsAt)}, no end planned` : `${day(startsAt)} – ${day(end)}`
  ].join(" · ")
}

/** One experiment: what it has shown, and what it is made of. */
export const ExperimentPage = () => {
  const { experimentId } = useParams<{ readonly experimentId: string }>()
  const where = useWhere()
  useFollow(where, "experiments", followed)
  const { data, error, refetch } = useExperiment(where, Number(experimentId))
  if (data !== undefined && isStarted(data)) return <Shown key={data.id} experiment={data} />
  if (data !== undefined) return <DraftPage key={data.id} record={data} />
  return error instanceof ApiFailure && error.code === "EXPERIMENT_NOT_FOUND" ? (
    <MissingPage title="There is no such experiment" list="experiments">
      It belongs to another environment, or the address is mistyped.
    </MissingPage>
  ) : (
    <UnansweredPage error={error} retry={() => void refetch()} />
  )
}

const Shown = ({ experiment }: { readonly experiment: Experiment }) => {
  const { applicationId, environment, timezone } = useProject()
  const [state, change] = useUrlState(experimentCodec)
  const onChange = (part: Partial<ExperimentState>) =>
    // What is only looked at is no step that Back should undo.
    change((present) => ({ ...present, ...part }), { replace: "who" in part || "open" in part })
  return (
    <div className="page experiment">
      <header className="page-head">
        <div>
          <p className="crumbs">
            <Link href={`/p/${applicationId}/${environment.alias}/experiments`}>Experiments</Link>
          </p>
          <div className="experiment-title">
            <h1>{experiment.name}</h1>
            <span className={`pill pill-${experiment.status}`}>{statusWords[experiment.status]}</span>
          </div>
          <p>{experiment.hypothesis ?? experiment.description}</p>
          <p className="experiment-facts">{factsOf(experiment, timezone)}</p>
        </div>
        <span className="row">
          <CopyButton experimentId={experiment.id} />
          <Segmented label="Shown" value={state.tab} choices={tabs} onChoose={(tab) => onChange({ tab })} />
        </span>
      </header>
      {state.tab === "results" ? (
        <Results experiment={experiment} state={state} onChange={onChange} />
      ) : (
        <ExperimentSetup experiment={experiment} />
      )}
    </div>
  )
}
