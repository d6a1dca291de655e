import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { BreakdownPicker } from "../builder/BreakdownPicker.tsx"
import { OnlyWhere } from "../builder/OnlyWhere.tsx"
import { metricWords } from "./Ask.ts"
import { FormulaList } from "./FormulaList.tsx"
import { MetricList } from "./MetricList.tsx"
import type { InsightDraft } from "./Question.ts"
import { letterOf, withFormulas, withoutFormula, withoutMetric } from "./Question.ts"

interface Props {
  readonly where: Where
  readonly question: InsightDraft
  readonly types: Answer<"markers.types">
  readonly args: Answer<"markers.arguments">
  readonly properties: Answer<"markers.properties">
  readonly onChange: (part: Partial<InsightDraft>) => void
}

/** The question, part by part; every change asks at once. */
export const QuestionForm = ({ where, question, types, args, properties, onChange }: Props) => {
  return (
    <>
      <fieldset>
        <legend>Measure</legend>
        <MetricList
          where={where}
          metrics={question.metrics}
          mayHide={question.formulas.length > 0}
          types={types}
          args={args}
          properties={properties}
          onChange={(metrics) => onChange({ metrics })}
          onRemove={(index) => onChange(withoutMetric(question, index))}
        />
        <FormulaList
          formulas={question.formulas}
          metrics={question.metrics.map((metric, index) => [letterOf(index), metricWords(metric)])}
          onChange={(formulas) => onChange(withFormulas(question.metrics, formulas))}
          onRemove={(index) => onChange(withoutFormula(question, index))}
        />
      </fieldset>
      <OnlyWhere where={where} question={question} args={args} properties={properties} onChange={onChange} />
      <BreakdownPicker by={question.by} args={args} properties={properties} onChange={onChange} />
    </>
  )
}
