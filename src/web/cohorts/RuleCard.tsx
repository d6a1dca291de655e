import { Picker } from "../ui/Picker.tsx"
import { RemoveButton } from "../ui/Button.tsx"
import type { FieldsProps } from "./ConditionFields.tsx"
import { PropertyFields, QuantityFields, ReferenceFields } from "./ConditionFields.tsx"
import { conditionBody } from "./DefinitionOf.ts"
import { MarkedFilters, MarkerNames } from "./MarkedFields.tsx"
import type { Kind } from "./Rules.ts"
import { kinds } from "./Rules.ts"
import { conditionWords } from "./RuleWords.ts"
import { SpanFields, WindowFields } from "./TimeFields.tsx"

/** Kinds that look at markers, and so have a time. */
const marking: ReadonlySet<Kind> = new Set(["did", "didNot", "firstTime", "sequence", "stopped", "restarted"])

const spanLabels: Partial<Record<Kind, readonly [before: string, label: string]>> = {
  sequence: ["within", "Time between the two"],
  stopped: ["but not in the last", "Time without it"],
  restarted: ["after a pause of", "Length of the pause"]
}

const MarkingFields = ({ condition, choices, onChange }: FieldsProps) => {
  const { kind, marked, next } = condition
  const span = spanLabels[kind]
  return (
    <>
      <MarkerNames label="Marker" choices={choices} marked={marked} onChange={(part) => onChange({ marked: part })} />
      {kind === "sequence" && (
        <>
          <span>and then</span>
          <MarkerNames
            label="Second marker"
            choices={choices}
            marked={next}
            onChange={(part) => onChange({ next: part })}
          />
        </>
      )}
      {(kind === "did" || kind === "didNot") && (
        <QuantityFields condition={condition} choices={choices} onChange={onChange} />
      )}
      <WindowFields window={condition.window} onChange={(window) => onChange({ window })} />
      {span !== undefined && (
        <>
          <span>{span[0]}</span>
          <SpanFields label={span[1]} span={condition.span} onChange={(part) => onChange({ span: part })} />
        </>
      )}
    </>
  )
}

interface Props extends FieldsProps {
  readonly timezone: string
  readonly onRemove: () => void
}

/** One condition, as a part of the sentence. */
export const RuleCard = ({ condition, choices, timezone, onChange, onRemove }: Props) => {
  const { kind, marked, next } = condition
  const isUnfinished = conditionBody(condition, timezone) === null
  const words = conditionWords(condition, choices.names)
  return (
    <div className={isUnfinished ? "rule rule-unfinished" : "rule"} role="group" aria-label={`Players ${words}`}>
      <div className="sentence">
        <Picker
          label="Condition"
          tone="quiet"
          value={kind}
          choices={kinds}
          onChoose={(chosen) =>
            onChange({
              kind: kinds.find(({ value }) => value === chosen)?.value ?? kind,
              referred: null,
              groupId: null
            })
          }
        />
        {marking.has(kind) && <MarkingFields condition={condition} choices={choices} onChange={onChange} />}
        {kind === "property" && <PropertyFields condition={condition} choices={choices} onChange={onChange} />}
        {(kind === "cohort" || kind === "experiment") && (
          <ReferenceFields condition={condition} choices={choices} onChange={onChange} />
        )}
        <RemoveButton label={`Remove the condition: ${words}`} onRemove={onRemove} />
      </div>
      {marking.has(kind) && marked.names.length > 0 && (
        <MarkedFilters
          label={marked.names.join(" or ")}
          choices={choices}
          marked={marked}
          onChange={(part) => onChange({ marked: part })}
        />
      )}
      {kind === "sequence" && next.names.length > 0 && (
        <MarkedFilters
          label={next.names.join(" or ")}
          choices={choices}
          marked={next}
          onChange={(part) => onChange({ next: part })}
        />
      )}
      {isUnfinished && <small className="faint">Not finished yet: fill in what is missing.</small>}
    </div>
  )
}
