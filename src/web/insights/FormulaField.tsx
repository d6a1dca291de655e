import { Either } from "effect"
import type { FormEvent } from "react"
import { useEffect, useRef, useState } from "react"
import { metricsOf, parseFormula } from "../../domain/analytics/insight/Formula.ts"
import type { FormulaState } from "./Question.ts"
import "../theme/formula.css"

interface Props {
  /** The formula that is changed; null for a new one. */
  readonly given: FormulaState | null
  /** Metrics that a formula may name: their letters and their words. */
  readonly metrics: ReadonlyArray<readonly [letter: string, words: string]>
  readonly onDone: (formula: FormulaState) => void
  readonly onCancel: () => void
}

interface Problem {
  /** Offset of the character that is wrong, from 0. */
  readonly at: number
  readonly text: string
}

/** What is wrong with a formula; null where nothing is. The same parser reads it on the server. */
export const problemOf = (text: string, letters: ReadonlyArray<string>): Problem | null =>
  Either.match(parseFormula(text), {
    onLeft: ({ expected, at }) => ({ at, text: `expected ${expected}` }),
    onRight: (formula) => {
      const stranger = metricsOf(formula).find(({ id }) => !letters.includes(id))
      return stranger === undefined ? null : { at: stranger.at, text: `there is no metric ${stranger.id}` }
    }
  })

/** A formula being written: it is read while one types, and a caret stands under what is wrong. */
export const FormulaField = ({ given, metrics, onDone, onCancel }: Props) => {
  const [text, setText] = useState(given?.formula ?? "")
  const [name, setName] = useState(given?.name ?? "")
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const letters = metrics.map(([letter]) => letter)
  const problem = text.trim() === "" ? null : problemOf(text, letters)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (text.trim() !== "" && problem === null) onDone({ name: name.trim(), formula: text.trim() })
  }
  const insert = (letter: string) => {
    setText((before) => (before === "" || before.endsWith(" ") ? before + letter : `${before} ${letter}`))
    field.current?.focus()
  }
  return (
    <form
      className="formula"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel()
      }}
    >
      <label className="field">
        Formula over {letters.join(", ")}
        <input
          ref={field}
          className="input formula-input"
          placeholder={letters.length > 1 ? "A / B * 100" : "A * 100"}
          value={text}
          aria-invalid={problem !== null}
          aria-describedby="formula-problem"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {problem !== null && (
        <pre className="formula-caret" aria-hidden="true">
          {`${" ".repeat(problem.at)}^`}
        </pre>
      )}
      <p id="formula-problem" className="form-error" role="status">
        {problem === null ? null : `Character ${problem.at + 1}: ${problem.text}`}
      </p>
      <div className="formula-letters">
        {metrics.map(([letter, words]) => (
          <button key={letter} type="button" className="tag" title={words} onClick={() => insert(letter)}>
            <b>{letter}</b> {words}
          </button>
        ))}
      </div>
      <label className="field">
        Name
        <input
          className="input"
          placeholder="As it reads"
          value={name}
          maxLength={256}
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <div className="row">
        <button type="submit" className="button button-small">
          {given === null ? "Add" : "Change"}
        </button>
        <button type="button" className="button button-small button-quiet" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
