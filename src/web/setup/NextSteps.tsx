import { Link } from "wouter"
import { useConfigurations, useExperiments } from "../configurations/ConfigurationQueries.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { Step } from "./Step.tsx"

/** What follows the first chart: values that the game takes from here, and an experiment on them. */
export const NextSteps = () => {
  const { applicationId, environment, may } = useProject()
  const where = useWhere()
  const [seesConfigurations, seesExperiments] = [may("configurations:read"), may("experiments:read")]
  const configurations = useConfigurations(where, seesConfigurations)
  const experiments = useExperiments(where, seesExperiments)
  const place = `/p/${applicationId}/${environment.alias}`
  return (
    <>
      {seesConfigurations && (
        <Step isDone={(configurations.data?.length ?? 0) > 0} title="Give the game values from here">
          <p>
            A configuration holds prices, drop rates and switches. The game fetches it, and gets changes without an
            update.
          </p>
          <Link className="button" href={`${place}/configurations`}>
            Open Configurations
          </Link>
        </Step>
      )}
      {seesExperiments && (
        <Step isDone={(experiments.data?.length ?? 0) > 0} title="Try a change on some players">
          <p>An experiment gives groups of players other values of a configuration, and compares what they do.</p>
          <Link className="button" href={`${place}/experiments`}>
            Open Experiments
          </Link>
        </Step>
      )}
    </>
  )
}
