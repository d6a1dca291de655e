import { bucketName } from "../../text/Times.ts"
import { unitsWord, unitWord } from "../ExperimentWords.ts"
import type { Judged } from "./Standing.ts"
import type { Sentence } from "./Words.ts"
import { groupName } from "./Words.ts"

/** That somebody chose a group, which is then what the page opens on; null where nobody did. */
export const endingOf = ({ experiment, isApplied }: Judged): Sentence | null => {
  const { winnerGroupId } = experiment
  if (winnerGroupId === null) return null
  const name = { name: groupName(experiment, winnerGroupId) }
  const winner = experiment.groups.find(({ id }) => id === winnerGroupId)
  if (winner?.changeset.operations.length === 0) return [name, " was chosen: the game stays as it is."]
  if (isApplied === null) return [name, " was chosen."]
  return isApplied
    ? [name, ` was chosen, and every ${unitWord(experiment)} has it: its changes are part of the base.`]
    : [name, ` was chosen, but its changes are not part of the base: ${unitsWord(experiment)} have the base as it was.`]
}

/** How the experiment ended, and when. */
export const endWords = ({ experiment, timezone }: Judged): ReadonlyArray<Sentence> => {
  const { status, endsAt, terminatedAt, terminationReason, winnerGroupId } = experiment
  if (status === "terminated" && terminatedAt !== null) {
    const reason = terminationReason === null || terminationReason === "" ? "" : `: “${terminationReason}”`
    const winner = winnerGroupId === null ? ", and no group was chosen" : ""
    return [[`Somebody ended it on ${bucketName(terminatedAt, "day", timezone)}${winner}${reason}.`]]
  }
  return status === "completed" && endsAt !== null
    ? [[`It ended on ${bucketName(endsAt, "day", timezone)}, as planned.`]]
    : []
}
