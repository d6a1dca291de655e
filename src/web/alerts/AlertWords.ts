import { numberText, percentText } from "../text/Numbers.ts"
import type { Alert, AlertWatch } from "./AlertQueries.ts"

export const kinds: ReadonlyArray<readonly [kind: AlertWatch["kind"], words: string]> = [
  ["query", "A saved question"],
  ["funnelStep", "A step of a saved funnel"],
  ["silence", "Silence of markers"],
  ["guardrail", "Guardrails of experiments"],
  ["sampleRatio", "Group sizes of experiments"],
  ["cohort", "Cohorts"]
]

const stateWords: Readonly<Record<Alert["state"], string>> = {
  new: "not judged yet",
  fine: "fine",
  fired: "fired",
  unclear: "too little is known",
  broken: "cannot be judged"
}

/** How an alert does, in a word or two. */
export const stateText = ({ state, isActive, mutedUntil, incident }: Alert): string => {
  if (!isActive) return "switched off"
  const seen = incident?.acknowledgedAt !== undefined && incident.acknowledgedAt !== null
  const more = [...(seen ? ["looked after"] : []), ...(mutedUntil === null ? [] : ["muted"])]
  return [stateWords[state], ...more].join(", ")
}

const directions = { drop: "falls", rise: "rises", either: "changes" } as const

/** When an alert fires. */
export const conditionText = (watch: AlertWatch): string => {
  switch (watch.kind) {
    case "silence":
      return `${[watch.names].flat().join(", ")}: none for ${watch.minutes} minutes`
    case "guardrail":
      return watch.experimentId === null
        ? "Guardrails of all experiments"
        : `Guardrails of experiment ${watch.experimentId}`
    case "sampleRatio":
      return watch.experimentId === null
        ? "Group sizes of all experiments"
        : `Group sizes of experiment ${watch.experimentId}`
    case "cohort":
      return watch.cohortId === null ? "Any cohort fails" : `Cohort ${watch.cohortId} fails`
    default: {
      const { condition, every } = watch
      if (condition.kind === "change") {
        const { direction, percent, weeks } = condition
        return `${directions[direction]} by ${percent} % within an ${every === "hour" ? "hour" : "entire day"}, against ${weeks} weeks`
      }
      const shown = (value: number) => (watch.kind === "funnelStep" ? percentText(value * 100) : numberText(value))
      const limits = [
        ...(condition.above === null ? [] : [`above ${shown(condition.above)}`]),
        ...(condition.below === null ? [] : [`below ${shown(condition.below)}`])
      ]
      return `${limits.join(" or ")} in ${every === "hour" ? "an hour" : "a day"}`
    }
  }
}
