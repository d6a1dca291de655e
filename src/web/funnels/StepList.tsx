import type { DragEvent, KeyboardEvent } from "react"
import { useEffect, useRef, useState } from "react"
import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { chosenText, filtersFor } from "../builder/FieldChoices.ts"
import { MarkerFilters } from "../builder/OnlyWhere.tsx"
import { Icon } from "../ui/Icon.tsx"
import type { Choice } from "../ui/Picker.tsx"
import { Picker } from "../ui/Picker.tsx"
import { Button, RemoveButton } from "../ui/Button.tsx"
import type { StepState } from "./FunnelQuestion.ts"
import { freshStep, moved } from "./FunnelQuestion.ts"

interface Props {
  readonly where: Where
  readonly steps: ReadonlyArray<StepState>
  readonly args: Answer<"markers.arguments">
  readonly properties: Answer<"markers.properties">
  readonly markers: ReadonlyArray<Choice>
  readonly onChange: (steps: ReadonlyArray<StepState>) => void
}

/** Where a step is dragged from and would land, counted from 0. */
interface Drag {
  readonly from: number
  readonly to: number
}

/** Steps in their order; they are dragged by their number, and Alt with an arrow moves the one that has the focus. */
export const StepList = ({ where, steps, args, properties, markers, onChange }: Props) => {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  /** The place to which a key has moved a step: the focus goes along. */
  const [followed, follow] = useState<{ readonly to: number } | null>(null)
  useEffect(() => {
    if (followed !== null) list.current?.children.item(followed.to)?.querySelector<HTMLElement>(".picker")?.focus()
  }, [followed])
  const update = (index: number, part: Partial<StepState>) =>
    onChange(steps.map((each, at) => (at === index ? { ...each, ...part } : each)))
  const onKeyDown = (index: number) => (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0
    const to = index + by
    if (!event.altKey || by === 0) return
    event.preventDefault()
    event.stopPropagation()
    if (to < 0 || to >= steps.length) return
    follow({ to })
    onChange(moved(steps, index, to))
  }
  const onDragStart = (from: number) => (event: DragEvent) => {
    event.dataTransfer.effectAllowed = "move"
    event.dataTransfer.setData("text/plain", steps[from]?.marker ?? "")
    setDrag({ from, to: from })
  }
  const onDragOver = (to: number) => (event: DragEvent) => {
    if (drag === null) return
    event.preventDefault()
    if (drag.to !== to) setDrag({ ...drag, to })
  }
  const onDrop = (event: DragEvent) => {
    if (drag === null) return
    event.preventDefault()
    setDrag(null)
    if (drag.from !== drag.to) onChange(moved(steps, drag.from, drag.to))
  }
  const toneOf = (index: number): string => {
    if (drag === null || drag.from === drag.to) return "metric"
    if (index === drag.from) return "metric step-dragged"
    if (index !== drag.to) return "metric"
    return drag.to > drag.from ? "metric step-after" : "metric step-before"
  }
  return (
    <>
      <ol className="step-list" ref={list}>
        {steps.map((step, index) => (
          <li
            className={toneOf(index)}
            key={`${index} ${step.marker}`}
            onKeyDownCapture={onKeyDown(index)}
            onDragOver={onDragOver(index)}
            onDrop={onDrop}
          >
            <span
              className="metric-letter step-handle"
              aria-hidden="true"
              title="Drag, or Alt and an arrow, to move this step"
              draggable
              onDragStart={onDragStart(index)}
              onDragEnd={() => setDrag(null)}
            >
              {index + 1}
            </span>
            <div className="metric-pickers">
              <Picker
                label={`Step ${index + 1}`}
                value={step.marker}
                placeholder={chosenText(step.marker)}
                choices={markers}
                onChoose={(marker) => update(index, { marker, filters: filtersFor(marker, step.filters, args) })}
              />
            </div>
            <Button
              type="button"
              className="button button-icon button-quiet button-turned"
              aria-label={`Move step ${index + 1} up`}
              disabled={index === 0}
              onClick={() => onChange(moved(steps, index, index - 1))}
            >
              <Icon name="chevron" size={14} />
            </Button>
            <RemoveButton
              label={`Remove step ${index + 1}`}
              onRemove={() => onChange(steps.filter((_, at) => at !== index))}
            />
            <MarkerFilters
              where={where}
              marker={step.marker}
              filtering={step}
              of={`step ${index + 1}`}
              args={args}
              properties={properties}
              onChange={(part) => update(index, part)}
            />
          </li>
        ))}
      </ol>
      <p className="unseen" role="status">
        {followed === null ? "" : `${steps[followed.to]?.marker ?? ""} is step ${followed.to + 1} now`}
      </p>
      <Picker
        label="Add a step"
        tone="quiet"
        value=""
        placeholder="+ Step"
        choices={markers}
        onChoose={(marker) => onChange([...steps, freshStep(marker)])}
      />
    </>
  )
}
