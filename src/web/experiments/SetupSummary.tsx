import { Link } from "wouter"
import { useProject } from "../shell/Project.tsx"
import type { Experiment } from "./ExperimentQueries.ts"
import { Groups } from "./results/Groups.tsx"

/** What an experiment was made of, to read. */
export const SetupSummary = ({ experiment }: { readonly experiment: Experiment }) => {
  const { applicationId, environment } = useProject()
  const { baseConfigurationId, assignmentMode, unitType, holdoutPercent, exclusionLayer } = experiment
  return (
    <section className="card" aria-label="Setup">
      <h2>Groups</h2>
      <Groups experiment={experiment} scorecard={undefined} onWho={null} />
      <dl className="facts">
        <div>
          <dt>Base</dt>
          <dd>
            <Link href={`/p/${applicationId}/${environment.alias}/configurations/${baseConfigurationId}`}>
              Configuration {baseConfigurationId}
            </Link>
          </dd>
        </div>
        <div>
          <dt>Assignment</dt>
          <dd>
            {assignmentMode === "weightedHash" ? "by chance" : "in turn"}, by{" "}
            {unitType === "user" ? "player" : "server"}
          </dd>
        </div>
        <div>
          <dt>Kept out</dt>
          <dd>
            {holdoutPercent} %{exclusionLayer === null ? "" : `, layer ${exclusionLayer}`}
          </dd>
        </div>
      </dl>
    </section>
  )
}
