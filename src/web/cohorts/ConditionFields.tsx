import { PropertyValues } from "../builder/FilterList.tsx"
import { Picker } from "../ui/Picker.tsx"
import type { Choices } from "./Choices.ts"
import type { RuleCondition } from "./Rules.ts"
import { comparisons, measures, needsArgument } from "./Rules.ts"
import { SentenceNumber } from "./TimeFields.tsx"

export interface FieldsProps {
  readonly condition: RuleCondition
  readonly choices: Choices
  readonly onChange: (part: Partial<RuleCondition>) => void
}

const chosenOf = <Value extends string>(
  all: ReadonlyArray<{ readonly value: Value }>,
  text: string,
  otherwise: Value
): Value => all.find(({ value }) => value === text)?.value ?? otherwise

/** How often, on how many days, or how much. */
export const QuantityFields = ({ condition, choices, onChange }: FieldsProps) => {
  const { measure, argument, comparison, value, high, marked } = condition
  const offered = marked.names.flatMap((name) => choices.argumentsOf(name))
  return (
    <>
      <Picker
        label="Comparison"
        tone="quiet"
        value={comparison}
        choices={comparisons}
        onChoose={(chosen) => onChange({ comparison: chosenOf(comparisons, chosen, comparison) })}
      />
      <SentenceNumber label="Number" value={value} onChange={(next) => onChange({ value: next })} />
      {comparison === "between" && (
        <>
          <span>and</span>
          <SentenceNumber label="Highest number" value={high} onChange={(next) => onChange({ high: next })} />
        </>
      )}
      <Picker
        label="Counted as"
        tone="quiet"
        value={measure}
        choices={measures}
        onChoose={(chosen) => onChange({ measure: chosenOf(measures, chosen, measure) })}
      />
      {needsArgument(measure) && (
        <Picker
          label="Argument"
          tone="quiet"
          value={argument}
          placeholder={offered.length === 0 ? "no argument has numbers" : "Choose an argument"}
          choices={offered.filter(
            (each, index) => offered.findIndex(({ value: name }) => name === each.value) === index
          )}
          onChoose={(next) => onChange({ argument: next })}
        />
      )}
    </>
  )
}

/** A property, a comparison and values. */
export const PropertyFields = ({ condition, choices, onChange }: FieldsProps) => {
  const { property } = condition
  const isNumber = choices.isNumber(`property:${property.name}`)
  return (
    <>
      <span className="sentence-marker">
        <Picker
          label="Property"
          value={property.name}
          placeholder="Choose a property"
          choices={choices.properties}
          onChoose={(name) =>
            onChange({
              property: {
                source: "property",
                name,
                operator: choices.isNumber(`property:${name}`) ? "equal" : "is",
                values: []
              }
            })
          }
        />
      </span>
      {property.name !== "" && (
        <PropertyValues
          where={choices.where}
          filter={property}
          isNumber={isNumber}
          onChange={(part) => onChange({ property: { ...property, ...part } })}
        />
      )}
    </>
  )
}

const memberships = [
  { value: "in", label: "are in" },
  { value: "out", label: "are not in" }
]

/** A cohort, or an experiment and perhaps one of its groups. */
export const ReferenceFields = ({ condition, choices, onChange }: FieldsProps) => {
  const { kind, referred, groupId, isIn } = condition
  const isCohort = kind === "cohort"
  return (
    <>
      <Picker
        label="Membership"
        tone="quiet"
        value={isIn ? "in" : "out"}
        choices={memberships}
        onChoose={(chosen) => onChange({ isIn: chosen === "in" })}
      />
      <span className="sentence-marker">
        <Picker
          label={isCohort ? "Cohort" : "Experiment"}
          value={referred === null ? "" : String(referred)}
          placeholder={isCohort ? "Choose a cohort" : "Choose an experiment"}
          choices={isCohort ? choices.cohorts : choices.experiments}
          onChoose={(id) => onChange({ referred: Number(id), groupId: null })}
        />
      </span>
      {!isCohort && referred !== null && (
        <Picker
          label="Group"
          tone="quiet"
          value={groupId === null ? "any" : String(groupId)}
          choices={[{ value: "any", label: "in any group" }, ...choices.groupsOf(referred)]}
          onChoose={(id) => onChange({ groupId: id === "any" ? null : Number(id) })}
        />
      )}
    </>
  )
}
