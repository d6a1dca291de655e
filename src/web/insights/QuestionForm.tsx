import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { fieldChoices, nameOf, sourceOf } from "../builder/FieldChoices.ts"
import { OnlyWhere } from "../builder/OnlyWhere.tsx"
import { Picker } from "../ui/Picker.tsx"
import { metricWords } from "./Ask.ts"
import { FormulaList } from "./FormulaList.tsx"
import { MetricList } from "./MetricList.tsx"
import type { Question } from "./Question.ts"
import { letterOf } from "./Question.ts"

interface Props {
  readonly where: Where
  readonly question: Question
  readonly types: Answer<"markers.types">
  readonly args: Answer<"markers.arguments">
  readonly properties: Answer<"markers.properties">
  readonly onChange: (part: Partial<Question>) => void
}

const breakdownOf = (field: string) => {
  const source = sourceOf(field)
  return source === "cohort" ? null : { source, name: nameOf(field) }
}

/** Stands for no breakdown among the choices. */
const nothing = "-"

/** The question, part by part; every change asks at once. */
export const QuestionForm = ({ where, question, types, args, properties, onChange }: Props) => {
  const fields = fieldChoices(properties, args)
  const { by } = question
  return (
    <>
      <fieldset>
        <legend>Measure</legend>
        <MetricList
          metrics={question.metrics}
          types={types}
          args={args}
          onChange={(metrics) => onChange({ metrics })}
        />
        <FormulaList
          formulas={question.formulas}
          metrics={question.metrics.map((metric, index) => [letterOf(index), metricWords(metric)])}
          onChange={(formulas) => onChange({ formulas })}
        />
      </fieldset>
      <OnlyWhere where={where} question={question} args={args} properties={properties} onChange={onChange} />
      <fieldset>
        <legend>Break down by</legend>
        <Picker
          label="Break down by"
          value={by === null ? nothing : `${by.source}:${by.name}`}
          choices={[{ value: nothing, label: "Nothing" }, ...fields]}
          onChoose={(field) => onChange({ by: field === nothing ? null : breakdownOf(field), hidden: [] })}
        />
      </fieldset>
    </>
  )
}
