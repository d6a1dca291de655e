import type { Answer } from "../api/Wire.ts"
import { Picker } from "../ui/Picker.tsx"
import type { Breakdown } from "./Breakdown.ts"
import { chosenText, fieldChoices, nameOf, sourceOf } from "./FieldChoices.ts"

interface Props {
  readonly by: Breakdown | null
  readonly args: Answer<"markers.arguments">
  readonly properties: Answer<"markers.properties">
  readonly onChange: (part: { readonly by: Breakdown | null; readonly hidden: ReadonlyArray<string> }) => void
}

/** Stands for no breakdown among the choices. */
const nothing = "-"

const chosen = (field: string): Breakdown | null => {
  const source = sourceOf(field)
  return field === nothing || source === "cohort" ? null : { source, name: nameOf(field) }
}

/** The part of a question that says what its answer is broken down by. */
export const BreakdownPicker = ({ by, args, properties, onChange }: Props) => (
  <fieldset>
    <legend>Break down by</legend>
    <Picker
      label="Break down by"
      value={by === null ? nothing : `${by.source}:${by.name}`}
      placeholder={chosenText(by?.name ?? "")}
      choices={[{ value: nothing, label: "Nothing" }, ...fieldChoices(properties, args)]}
      onChoose={(field) => onChange({ by: chosen(field), hidden: [] })}
    />
  </fieldset>
)
