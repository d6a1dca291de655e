import type { KeyboardEvent } from "react"
import type { Choice } from "../ui/Picker.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Picker } from "../ui/Picker.tsx"
import { moved } from "./FunnelQuestion.ts"
import { RemoveButton } from "../ui/RemoveButton.tsx"

interface Props {
  readonly steps: ReadonlyArray<string>
  readonly markers: ReadonlyArray<Choice>
  readonly onChange: (steps: ReadonlyArray<string>) => void
}

/** Steps in their order; Alt with an arrow moves the one that has the focus. */
export const StepList = ({ steps, markers, onChange }: Props) => {
  const onKeyDown = (index: number) => (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0
    if (!event.altKey || by === 0) return
    event.preventDefault()
    event.stopPropagation()
    onChange(moved(steps, index, index + by))
  }
  return (
    <>
      {steps.map((step, index) => (
        <div className="metric" key={`${index} ${step}`} onKeyDownCapture={onKeyDown(index)}>
          <span className="metric-letter" aria-hidden="true">
            {index + 1}
          </span>
          <div className="metric-pickers">
            <Picker
              label={`Step ${index + 1}`}
              value={step}
              choices={markers}
              onChoose={(marker) => onChange(steps.map((each, at) => (at === index ? marker : each)))}
            />
          </div>
          <button
            type="button"
            className="button button-icon button-quiet button-turned"
            aria-label={`Move step ${index + 1} up`}
            disabled={index === 0}
            onClick={() => onChange(moved(steps, index, index - 1))}
          >
            <Icon name="chevron" size={14} />
          </button>
          <RemoveButton
            label={`Remove step ${index + 1}`}
            onRemove={() => onChange(steps.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      <Picker
        label="Add a step"
        tone="quiet"
        value=""
        placeholder="+ Step"
        choices={markers}
        onChoose={(marker) => onChange([...steps, marker])}
      />
    </>
  )
}
