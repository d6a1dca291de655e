import type { KeyboardEvent } from "react"
import { meaningOf } from "./Keys.ts"

interface Props<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choices: ReadonlyArray<readonly [value: Value, label: string]>
  readonly onChoose: (value: Value) => void
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/** A few choices side by side, of which one holds; arrows move between them. */
export const Segmented = <Value extends string>({ label, value, choices, onChoose }: Props<Value>) => {
  const hasChoice = choices.some(([each]) => each === value)
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = meaningOf(steps, event)
    if (step === undefined) return
    event.preventDefault()
    const at = choices.findIndex(([each]) => each === value)
    const next = (at + step + choices.length) % choices.length
    const chosen = choices[next]
    if (chosen === undefined) return
    onChoose(chosen[0])
    const button = event.currentTarget.children.item(next)
    if (button instanceof HTMLElement) button.focus()
  }
  return (
    <div className="segmented" role="radiogroup" aria-label={label} onKeyDown={move}>
      {choices.map(([each, text], index) => (
        <button
          key={each}
          type="button"
          role="radio"
          aria-checked={each === value}
          tabIndex={each === value || (!hasChoice && index === 0) ? 0 : -1}
          onClick={() => onChoose(each)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
