import { useEffect, useRef } from "react"
import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { fieldChoices, nameOf, numberFields } from "../builder/FieldChoices.ts"
import { FilterList } from "../builder/FilterList.tsx"
import { numberText } from "../text/Numbers.ts"
import { Picker } from "../ui/Picker.tsx"
import { RemoveButton } from "../ui/Button.tsx"
import type { PlayersQuestion } from "./PlayersQuestion.ts"

interface Props {
  readonly where: Where
  readonly question: PlayersQuestion
  readonly properties: Answer<"markers.properties">
  readonly cohorts: Answer<"cohorts.list">
  readonly onChange: (part: Partial<PlayersQuestion>) => void
  readonly onType: (search: string) => void
}

/** Milliseconds after the last letter until it is asked for. */
const pause = 150

/** The field keeps what is typed; the address follows it. */
const Search = ({ value, onType }: { readonly value: string; readonly onType: (search: string) => void }) => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    // Back and forward change the address under the field; what is being typed is not touched.
    if (field.current !== null && document.activeElement !== field.current) field.current.value = value
  }, [value])
  return (
    <label className="field">
      Id begins with
      <input
        ref={field}
        type="search"
        defaultValue={value}
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        placeholder="any id"
        onChange={({ target }) => {
          clearTimeout(timer.current)
          timer.current = setTimeout(() => onType(target.value.trim()), pause)
        }}
      />
    </label>
  )
}

/** Whom the page lists, and with which columns. */
export const PlayersForm = ({ where, question, properties, cohorts, onChange, onType }: Props) => {
  const fields = fieldChoices(properties, [])
  const numbers = numberFields(properties, [])
  const everybody = { value: "", label: "Everybody" }
  return (
    <section className="builder" aria-label="Question">
      <Search value={question.search} onType={onType} />
      {(cohorts.length > 0 || question.cohortId !== null) && (
        <fieldset>
          <legend>In the cohort</legend>
          <Picker
            label="Cohort"
            value={question.cohortId === null ? "" : String(question.cohortId)}
            placeholder={`Cohort ${question.cohortId}`}
            choices={[
              everybody,
              ...cohorts.map(({ id, name, memberCount }) => ({
                value: String(id),
                label: name,
                hint: numberText(memberCount)
              }))
            ]}
            onChoose={(id) => onChange({ cohortId: id === "" ? null : Number(id) })}
          />
        </fieldset>
      )}
      <fieldset>
        <legend>Only players whose</legend>
        <FilterList
          where={where}
          filters={question.filters}
          match={question.match}
          fields={fields}
          isNumber={(field) => numbers.has(field)}
          onChange={(filters) => onChange({ filters })}
          onMatch={(match) => onChange({ match })}
        />
      </fieldset>
      <fieldset>
        <legend>Columns</legend>
        {question.columns.map((name) => (
          <div className="row players-column" key={name}>
            <b>{name}</b>
            <RemoveButton
              label={`Remove the column ${name}`}
              onRemove={() => onChange({ columns: question.columns.filter((each) => each !== name) })}
            />
          </div>
        ))}
        <Picker
          label="Add a column"
          tone="quiet"
          value=""
          placeholder="+ Column"
          choices={fields.filter(({ label }) => !question.columns.includes(label))}
          onChoose={(field) => onChange({ columns: [...question.columns, nameOf(field)] })}
        />
      </fieldset>
    </section>
  )
}
