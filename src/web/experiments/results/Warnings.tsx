import { pathText } from "../../../domain/configuration/PathText.ts"
import { Callout } from "../../ui/States.tsx"
import type { Scorecard } from "../ExperimentQueries.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { mixedVerdict } from "./Standing.ts"
import type { Sentence } from "./Words.ts"
import { groupName, plainText } from "./Words.ts"

/** Why a group does not get what the experiment promises: which of its paths the base has lost. */
export const degradedWords = (experiment: Experiment): Sentence => {
  const { missingPaths, unitType } = experiment
  if (missingPaths.length === 0) return ["The base configuration of this experiment is gone: every group is as it is."]
  const paths = missingPaths.map(
    ({ groupId, path }) => `${pathText("", path).slice(1)} (${groupName(experiment, groupId)})`
  )
  return [
    `The base no longer has what the experiment changes: ${paths.join(", ")}. ${unitType === "server" ? "Game servers" : "Players"} of the group do not get ${paths.length === 1 ? "it" : "them"}; bring the ${paths.length === 1 ? "path" : "paths"} back, or end the experiment.`
  ]
}

const splitCauses = [
  "Every client reports the exposure at the same moment in every group, also where a group loads longer or crashes.",
  "Nobody is put into a group by hand, and no test account is.",
  "Weights were changed through this experiment, so that each phase expects its own split.",
  "Bots and automated clients are left out in every group alike."
]

const mixedCausesOfServers = [
  "Game servers keep their id: one that starts under another id may be given another group.",
  "Nobody is moved from one group to another by hand while it runs.",
  "The game asks for its configuration with the server's id, and never with a player's."
]

const mixedCauses = [
  "Players keep their id: a guest who signs in, or who changes the device, may be given another group.",
  "Nobody is moved from one group to another by hand while it runs.",
  "The game asks for its configuration with the player's id, not with that of a session or server."
]

interface UnhealthyProps {
  readonly experiment: Experiment
  readonly scorecard: Scorecard
}

/** What to look at where the groups cannot be compared. */
export const Unhealthy = ({ experiment, scorecard }: UnhealthyProps) => {
  const ofMixing = experiment.unitType === "server" ? mixedCausesOfServers : mixedCauses
  const causes = [
    ...(scorecard.srm.verdict === "unhealthy" ? splitCauses : []),
    ...(mixedVerdict(scorecard) === "unhealthy" ? ofMixing : [])
  ]
  return (
    <section className="unhealthy" aria-label="What to check">
      <h3>What to check</h3>
      <p className="faint">Groups that are not split as planned differ by more than what the experiment changes.</p>
      <ul>
        {causes.map((cause) => (
          <li key={cause}>{cause}</li>
        ))}
      </ul>
    </section>
  )
}

export const Degraded = ({ experiment }: { readonly experiment: Experiment }) =>
  experiment.degraded ? <Callout tone="bad">{plainText(degradedWords(experiment))}</Callout> : null
