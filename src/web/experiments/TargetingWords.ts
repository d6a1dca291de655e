import { valueText } from "../text/Values.ts"
import type { Experiment } from "./ExperimentWords.ts"

type Targeting = Experiment["targeting"]

const operatorWords: Readonly<Record<Targeting["conditions"][number]["operator"], string>> = {
  is: "is",
  isNot: "is not",
  contains: "contains",
  notContains: "does not contain",
  equal: "=",
  notEqual: "≠",
  greaterThan: ">",
  greaterThanOrEqual: "≥",
  lessThan: "<",
  lessThanOrEqual: "≤",
  between: "is between",
  isSet: "is set",
  isNotSet: "is not set",
  isIn: "is one of",
  isNotIn: "is none of"
}

/** Context properties are named with their section: `properties.level` is the player's own level. */
const propertyWords = (property: string): string => property.replace(/^properties\./, "")

const conditionWords = ({ property, operator, value }: Targeting["conditions"][number]): string => {
  const compared = Array.isArray(value) ? value.join(operator === "between" ? " and " : " or ") : value
  const words = `${propertyWords(property)} ${operatorWords[operator]}`
  return compared === undefined ? words : `${words} ${valueText(compared)}`
}

/** Who may be enrolled, in one sentence. `cohort` names a cohort by its id. */
export const targetingWords = (
  { cohortIds, conditions, newUsersOnly }: Targeting,
  cohort: (id: number) => string,
  unitType: Experiment["unitType"] = "user"
): string => {
  const parts = [
    ...(cohortIds.length === 0 ? [] : [`are in ${cohortIds.map(cohort).join(" or ")}`]),
    ...(conditions.length === 0 ? [] : [`have ${conditions.map(conditionWords).join(" and ")}`])
  ]
  const [several, units] = unitType === "server" ? ["Game servers", "game servers"] : ["Players", "players"]
  const who = newUsersOnly ? `New ${units}` : parts.length === 0 ? `All ${units}` : several
  return parts.length === 0 ? who : `${who} ${unitType === "server" ? "that" : "who"} ${parts.join(" and ")}`
}
