import { RemoveButton } from "../../ui/Button.tsx"
import type { ConditionDraft } from "./PlanDraft.ts"

interface Props {
  readonly condition: ConditionDraft
  readonly properties: ReadonlyArray<string>
  readonly onChange: (part: Partial<ConditionDraft>) => void
  readonly onRemove: () => void
}

const operators: ReadonlyArray<readonly [ConditionDraft["operator"], string]> = [
  ["is", "is"],
  ["isNot", "is not"],
  ["contains", "contains"],
  ["notContains", "does not contain"],
  ["equal", "="],
  ["notEqual", "≠"],
  ["greaterThan", ">"],
  ["greaterThanOrEqual", "≥"],
  ["lessThan", "<"],
  ["lessThanOrEqual", "≤"],
  ["between", "is between"],
  ["isIn", "is one of"],
  ["isNotIn", "is none of"],
  ["isSet", "is set"],
  ["isNotSet", "is not set"]
]

const hints: Partial<Record<ConditionDraft["operator"], string>> = {
  is: "one, or several with commas",
  isNot: "one, or several with commas",
  isIn: "one, or several with commas",
  isNotIn: "one, or several with commas",
  between: "two numbers with a comma: 5, 10"
}

const operatorOf = (text: string): ConditionDraft["operator"] => operators.find(([each]) => each === text)?.[0] ?? "is"

/** One property of the player's context, compared with a value. */
export const ConditionRow = ({ condition, properties, onChange, onRemove }: Props) => {
  const { key, property, operator, value } = condition
  const called = property === "" ? "the condition" : property
  const needsValue = operator !== "isSet" && operator !== "isNotSet"
  return (
    <div className="row condition" role="group" aria-label={`Condition on ${called}`}>
      <input
        className="input"
        aria-label="Property"
        placeholder="properties.level"
        list={`properties-${key}`}
        autoComplete="off"
        value={property}
        maxLength={128}
        onChange={({ currentTarget }) => onChange({ property: currentTarget.value })}
      />
      <datalist id={`properties-${key}`}>
        {properties.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      <select
        className="input"
        aria-label={`Comparison of ${called}`}
        value={operator}
        onChange={({ currentTarget }) => onChange({ operator: operatorOf(currentTarget.value) })}
      >
        {operators.map(([each, words]) => (
          <option key={each} value={each}>
            {words}
          </option>
        ))}
      </select>
      {needsValue && (
        <input
          className="input"
          aria-label={`Value of ${called}`}
          placeholder={hints[operator] ?? ""}
          autoComplete="off"
          value={value}
          onChange={({ currentTarget }) => onChange({ value: currentTarget.value })}
        />
      )}
      <RemoveButton label={`Remove ${called}`} onRemove={onRemove} />
    </div>
  )
}
