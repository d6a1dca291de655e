import { useProject, useWhere } from "../../shell/Project.tsx"
import { Who } from "../../who/Who.tsx"
import type { ChartNumber } from "../../who/Number.ts"
import type { Scorecard } from "../ExperimentQueries.ts"
import type { Experiment, ExperimentGroup } from "../ExperimentWords.ts"
import { groupName } from "./Words.ts"

/** The question whose players are those of a group: who saw it since the start, and no other group. */
const numberOf = (
  { id, startsAt }: Experiment,
  group: ExperimentGroup,
  asOf: string,
  timezone: string
): ChartNumber => ({
  queryType: "insight",
  spec: {
    time: {
      step: "month",
      timezone,
      from: startsAt,
      to: new Date(Math.max(Date.parse(asOf), Date.parse(startsAt)) + 1).toISOString()
    },
    metrics: [{ id: "A", data: { type: "uniqueUsers", name: "$exposure" } }],
    filters: [
      { source: "argument", name: "experimentId", operator: "equal", value: id },
      { source: "experiment", name: String(id), operator: "isIn", value: [group.id] }
    ]
  },
  select: { metricId: "A" }
})

interface Props {
  readonly experiment: Experiment
  readonly scorecard: Scorecard
  readonly group: ExperimentGroup
  readonly onClose: () => void
}

/** The players of a group, and a cohort of them. */
export const GroupPlayers = ({ experiment, scorecard, group, onClose }: Props) => {
  const { timezone } = useProject()
  return (
    <Who
      where={useWhere()}
      number={numberOf(experiment, group, scorecard.asOf, timezone)}
      title={`Players who saw ${groupName(experiment, group.id)}`}
      valueName={null}
      onClose={onClose}
    />
  )
}
