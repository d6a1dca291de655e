import { useQuery } from "@tanstack/react-query"
import { apply } from "../../../domain/configuration/Changeset.ts"
import { equals } from "../../../domain/configuration/Document.ts"
import { configurationQuery } from "../../configurations/ConfigurationQueries.ts"
import { useProject, useWhere } from "../../shell/Project.tsx"
import { Failed, Skeleton } from "../../ui/States.tsx"
import type { Scorecard } from "../ExperimentQueries.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { useResults } from "../ExperimentQueries.ts"
import type { ExperimentState } from "../ExperimentState.ts"
import { Collecting } from "./Collecting.tsx"
import { GroupPlayers } from "./GroupPlayers.tsx"
import { Groups } from "./Groups.tsx"
import { Health } from "./Health.tsx"
import { PhaseStrip } from "./PhaseStrip.tsx"
import { Said } from "./Said.tsx"
import { ScorecardCard } from "./ScorecardCard.tsx"
import { verdictOf } from "./Verdict.ts"
import { Degraded, Unhealthy } from "./Warnings.tsx"
import { plainText } from "./Words.ts"

interface Props {
  readonly experiment: Experiment
  readonly state: ExperimentState
  readonly onChange: (part: Partial<ExperimentState>) => void
}

/** Whether the base has what the chosen group changes; null where nobody was chosen, or the base is not known. */
const useIsApplied = ({ baseConfigurationId, groups, winnerGroupId }: Experiment): boolean | null => {
  const { may } = useProject()
  const winner = groups.find(({ id }) => id === winnerGroupId)
  const base = useQuery({
    ...configurationQuery(useWhere(), baseConfigurationId),
    enabled: winner !== undefined && may("configurations:read")
  })
  if (winner === undefined || base.data === undefined) return null
  const document = base.data.configuration
  return equals(apply(document, winner.changeset), document)
}

/** What an experiment has shown: the verdict first, then whether it can be trusted, then every number. */
export const Results = ({ experiment, state, onChange }: Props) => {
  const results = useResults(useWhere(), experiment, state)
  const isApplied = useIsApplied(experiment)
  if (results.data !== undefined) {
    return (
      <Shown experiment={experiment} scorecard={results.data} isApplied={isApplied} state={state} onChange={onChange} />
    )
  }
  return results.error === null ? (
    <Skeleton height={560} />
  ) : (
    <Failed error={results.error} retry={() => void results.refetch()} />
  )
}

interface ShownProps extends Props {
  readonly scorecard: Scorecard
  readonly isApplied: boolean | null
}

const Shown = ({ experiment, scorecard, isApplied, state, onChange }: ShownProps) => {
  const { timezone } = useProject()
  const { standing, outcome, sentence, details } = verdictOf({ experiment, scorecard, isApplied, timezone })
  const who = experiment.groups.find(({ id }) => id === state.who)
  return (
    <>
      <div className="result-head">
        <div className="result-side">
          <section className={`result-verdict result-verdict-${outcome ?? standing}`} aria-label="Verdict">
            <h2>
              <Said sentence={sentence} />
            </h2>
            {details.map((detail) => (
              <p key={plainText(detail)}>
                <Said sentence={detail} />
              </p>
            ))}
          </section>
          {standing === "unhealthy" && <Unhealthy experiment={experiment} scorecard={scorecard} />}
        </div>
        {standing !== "scheduled" && <Health experiment={experiment} scorecard={scorecard} counting={state} />}
      </div>
      <Degraded experiment={experiment} />
      {standing === "collecting" && <Collecting experiment={experiment} scorecard={scorecard} />}
      <section className="card" aria-label="Time and groups">
        <PhaseStrip experiment={experiment} asOf={scorecard.asOf} />
        <Groups experiment={experiment} scorecard={scorecard} onWho={(group) => onChange({ who: group.id })} />
      </section>
      {standing !== "scheduled" && standing !== "unmeasured" && (
        <ScorecardCard
          experiment={experiment}
          scorecard={scorecard}
          standing={standing}
          state={state}
          onChange={onChange}
        />
      )}
      {who !== undefined && (
        <GroupPlayers
          experiment={experiment}
          scorecard={scorecard}
          group={who}
          onClose={() => onChange({ who: null })}
        />
      )}
    </>
  )
}
