import { Either } from "effect"
import type { FormEvent } from "react"
import { useState } from "react"
import { metricsOf, parseFormula } from "../../domain/analytics/insight/Formula.ts"
import { Icon } from "../ui/Icon.tsx"
import { RemoveButton } from "../ui/RemoveButton.tsx"

interface Props {
  readonly formulas: ReadonlyArray<string>
  /** Letters that a formula may name. */
  readonly letters: ReadonlyArray<string>
  readonly onChange: (formulas: ReadonlyArray<string>) => void
}

/** What is wrong with a formula; null where nothing is. The same parser reads it on the server. */
const problemOf = (text: string, letters: ReadonlyArray<string>): string | null =>
  Either.match(parseFormula(text), {
    onLeft: ({ expected, at }) => `expected ${expected} at character ${at + 1}`,
    onRight: (formula) => {
      const stranger = metricsOf(formula).find(({ id }) => !letters.includes(id))
      return stranger === undefined ? null : `there is no metric ${stranger.id}`
    }
  })

/** Formulas over the metrics, such as `A / B * 100`. */
export const FormulaList = ({ formulas, letters, onChange }: Props) => {
  const [isAdding, setAdding] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get("formula")).trim()
    const found = problemOf(text, letters)
    setProblem(found)
    if (found !== null) return
    setAdding(false)
    onChange([...formulas, text])
  }
  return (
    <>
      {formulas.map((formula, index) => (
        <div className="metric" key={`${index} ${formula}`}>
          <span className="metric-letter" aria-hidden="true">
            =
          </span>
          <code className="metric-formula">{formula}</code>
          <RemoveButton
            label={`Remove the formula ${formula}`}
            onRemove={() => onChange(formulas.filter((_, each) => each !== index))}
          />
        </div>
      ))}
      {isAdding ? (
        <form className="formula" onSubmit={submit}>
          <label className="field">
            Formula over {letters.join(", ")}
            <input
              name="formula"
              className="input"
              placeholder={letters.length > 1 ? "A / B * 100" : "A * 100"}
              aria-invalid={problem !== null}
              aria-describedby="formula-problem"
              autoComplete="off"
              spellCheck={false}
            />
          </label>
          <p id="formula-problem" className="form-error" role="alert">
            {problem}
          </p>
          <button type="submit" className="button button-small">
            Add
          </button>
        </form>
      ) : (
        <button type="button" className="button button-quiet" onClick={() => setAdding(true)}>
          <Icon name="plus" size={14} />
          Formula
        </button>
      )}
    </>
  )
}
