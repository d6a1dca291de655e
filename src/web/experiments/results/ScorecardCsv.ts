import { csvOf } from "../../../domain/analytics/table/Csv.ts"
import type { Scorecard } from "../ExperimentQueries.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { groupName } from "./Words.ts"

const head = [
  "metric",
  "role",
  "better",
  "group",
  "players",
  "value",
  "control value",
  "change",
  "relative change",
  "chance to win",
  "credible low",
  "credible high",
  "always valid p",
  "always valid low",
  "always valid high",
  "fixed horizon p",
  "fixed horizon p corrected",
  "fixed horizon low",
  "fixed horizon high",
  "verdict"
]

/** The scorecard as a table: a row a metric and group, changes as shares of the control's value. */
export const scorecardCsv = (experiment: Experiment, { metrics }: Scorecard): string =>
  csvOf([
    head,
    ...metrics.flatMap(({ name, role, direction, groups, comparisons }) =>
      comparisons.map(({ groupId, controlGroupId, absolute, relative, bayesian, sequential, frequentist, verdict }) => {
        const own = groups.find((group) => group.groupId === groupId)
        const control = groups.find((group) => group.groupId === controlGroupId)
        return [
          name,
          role,
          direction === "increase" ? "higher" : "lower",
          groupName(experiment, groupId),
          own?.n ?? null,
          own?.mean ?? null,
          control?.mean ?? null,
          absolute,
          relative,
          bayesian.chanceToWin,
          ...(bayesian.interval ?? [null, null]),
          sequential.pValue,
          ...(sequential.interval ?? [null, null]),
          frequentist.pValue,
          frequentist.adjustedPValue,
          ...(frequentist.interval ?? [null, null]),
          verdict
        ]
      })
    )
  ])
