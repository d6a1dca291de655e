import type { Json } from "../domain/configuration/Document.ts"
import { pathText } from "../domain/configuration/PathText.ts"
import type { PlanReport } from "./Plan.ts"
import type { PlannedChange } from "./Steps.ts"

const signs = { add: "+", change: "~", remove: "-" } as const

const longestValue = 120

const valueText = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text
}

const at = (path: ReadonlyArray<string>) => pathText("", path).replace(/^\./, "")

const fieldText = (field: PlannedChange["fields"][number]): string => {
  if (field.op === "remove") return `    - ${at(field.path)}: ${valueText(field.previous)}`
  if (field.previous === undefined) return `    + ${at(field.path)}: ${valueText(field.value)}`
  return `    ~ ${at(field.path)}: ${valueText(field.previous)} → ${valueText(field.value)}`
}

const reasonFor = ({ kind, isApplied }: PlannedChange): string => {
  if (isApplied) return ""
  return kind === "roles" ? " (stays: roles are changed in the dashboard)" : " (stays: --prune removes it)"
}

const changeText = (change: PlannedChange): ReadonlyArray<string> => [
  `${signs[change.action]} ${change.kind}/${change.name}${reasonFor(change)}`,
  ...(change.action === "change" ? change.fields.map(fieldText) : []),
  ...change.heldBy.map(({ experiment, path }) => `    ! ${at(path)} is held by the experiment ${experiment}`)
]

/** The plan as people read it. */
export const planText = ({ project, environment, changes }: PlanReport): string => {
  const count = (action: PlannedChange["action"]) =>
    changes.filter((each) => each.action === action && each.isApplied).length
  const total = `${count("add")} to add, ${count("change")} to change, ${count("remove")} to remove`
  return [`${project}, ${environment}: ${total}`, ...changes.flatMap(changeText)].join("\n")
}
