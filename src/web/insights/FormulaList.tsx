import { useState } from "react"
import { Icon } from "../ui/Icon.tsx"
import { loadable } from "../ui/Loadable.tsx"
import { RemoveButton } from "../ui/Button.tsx"
import { formulaWords } from "./Ask.ts"
import type { FormulaState } from "./Question.ts"

interface Props {
  readonly formulas: ReadonlyArray<FormulaState>
  /** Metrics that a formula may name: their letters and their words. */
  readonly metrics: ReadonlyArray<readonly [letter: string, words: string]>
  readonly onChange: (formulas: ReadonlyArray<FormulaState>) => void
  /** The formula at the place is taken out of the question. */
  readonly onRemove: (index: number) => void
}

/** The field brings the parser along, which only who writes a formula needs. */
const FormulaField = loadable(() => import("./FormulaField.tsx").then((chunk) => ({ default: chunk.FormulaField })))

/** Formulas over the metrics, such as `A / B * 100`. */
export const FormulaList = ({ formulas, metrics, onChange, onRemove }: Props) => {
  /** Position of the formula being written; one past the last stands for a new one. */
  const [editing, edit] = useState<number | null>(null)
  const field = (position: number) => (
    <FormulaField
      given={formulas[position] ?? null}
      metrics={metrics}
      onCancel={() => edit(null)}
      onDone={(formula) => {
        edit(null)
        onChange([...formulas.slice(0, position), formula, ...formulas.slice(position + 1)])
      }}
    />
  )
  return (
    <>
      {formulas.map((formula, index) =>
        editing === index ? (
          <div key={`${index} ${formula.formula}`}>{field(index)}</div>
        ) : (
          <div className="metric" key={`${index} ${formula.formula}`}>
            <span className="metric-letter" aria-hidden="true">
              =
            </span>
            <button
              type="button"
              className="metric-formula"
              aria-label={`Change the formula ${formulaWords(formula)}`}
              onClick={() => edit(index)}
            >
              {formula.name !== "" && <b>{formula.name}</b>}
              <code>{formula.formula}</code>
            </button>
            <RemoveButton label={`Remove the formula ${formulaWords(formula)}`} onRemove={() => onRemove(index)} />
          </div>
        )
      )}
      {editing === formulas.length ? (
        field(editing)
      ) : (
        <button type="button" className="button button-quiet" onClick={() => edit(formulas.length)}>
          <Icon name="plus" size={14} />
          Formula
        </button>
      )}
    </>
  )
}
