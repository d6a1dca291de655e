import type { Where } from "../api/queries.ts"
import { useArguments, useProperties } from "../api/queries.ts"
import { OnlyWhere } from "../builder/OnlyWhere.tsx"
import type { Choice } from "../ui/Picker.tsx"
import { Picker } from "../ui/Picker.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { ComparisonFields } from "./ComparisonFields.tsx"
import type { HeatmapQuestion } from "./HeatmapQuestion.ts"
import { cellChoices, isUpsideDown } from "./HeatmapQuestion.ts"

interface Props {
  readonly where: Where
  readonly question: HeatmapQuestion
  readonly markers: ReadonlyArray<Choice>
  readonly onChange: (part: Partial<HeatmapQuestion>, options?: { readonly replace: boolean }) => void
}

const counts = [
  ["markers", "Markers"],
  ["players", "Players"]
] as const

const sizes = cellChoices.map((cells) => [String(cells), String(cells)] as const)

interface HeightProps {
  readonly label: string
  readonly value: number | null
  readonly isWrong: boolean
  readonly onChange: (value: number | null) => void
}

const Height = ({ label, value, isWrong, onChange }: HeightProps) => (
  <input
    key={value}
    className="input"
    type="number"
    step="any"
    aria-label={label}
    aria-invalid={isWrong}
    placeholder="any"
    defaultValue={value ?? ""}
    onBlur={({ target }) => {
      const next = target.value === "" ? null : target.valueAsNumber
      if (next !== value && !Number.isNaN(next)) onChange(next)
    }}
    onKeyDown={(event) => {
      if (event.key === "Enter") event.currentTarget.blur()
    }}
  />
)

/** The question about a map, part by part; every change asks at once. */
export const HeatmapForm = ({ where, question, markers, onChange }: Props) => {
  const args = useArguments(where)
  const properties = useProperties(where)
  const isWrong = isUpsideDown(question)
  return (
    <section className="builder" aria-label="Question">
      <fieldset>
        <legend>Where this happens</legend>
        <Picker label="Marker" value={question.marker} choices={markers} onChoose={(marker) => onChange({ marker })} />
        <Segmented
          label="Count"
          value={question.counts}
          choices={counts}
          onChoose={(next) => onChange({ counts: next })}
        />
      </fieldset>
      <fieldset>
        <legend>Between heights</legend>
        <div className="map-heights">
          <Height label="Lowest height" value={question.low} isWrong={isWrong} onChange={(low) => onChange({ low })} />
          <span className="faint">to</span>
          <Height
            label="Highest height"
            value={question.high}
            isWrong={isWrong}
            onChange={(high) => onChange({ high })}
          />
        </div>
        {isWrong && <small className="field-error">The lowest height is above the highest.</small>}
      </fieldset>
      <OnlyWhere
        where={where}
        question={question}
        args={args.data ?? []}
        properties={properties.data ?? []}
        onChange={onChange}
      />
      <ComparisonFields where={where} comparison={question.comparison} per={question.per} onChange={onChange} />
      <fieldset>
        <legend>Cells along the longer side</legend>
        <Segmented
          label="Cells along the longer side"
          value={String(question.cells)}
          choices={sizes}
          onChoose={(cells) => onChange({ cells: Number(cells) })}
        />
      </fieldset>
    </section>
  )
}
