import type { DragEvent, KeyboardEvent } from "react"
import { useEffect, useRef, useState } from "react"
import { Icon } from "../ui/Icon.tsx"
import type { Choice } from "../ui/Picker.tsx"
import { Picker } from "../ui/Picker.tsx"
import { RemoveButton } from "../ui/RemoveButton.tsx"
import { moved } from "./FunnelQuestion.ts"

interface Props {
  readonly steps: ReadonlyArray<string>
  readonly markers: ReadonlyArray<Choice>
  readonly onChange: (steps: ReadonlyArray<string>) => void
}

/** Where a step is dragged from and would land, counted from 0. */
interface Drag {
  readonly from: number
  readonly to: number
}

/** Steps in their order; they are dragged by their number, and Alt with an arrow moves the one that has the focus. */
export const StepList = ({ steps, markers, onChange }: Props) => {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag | null>(null)
  /** The place to which a key has moved a step: the focus goes along. */
  const [followed, follow] = useState<{ readonly to: number } | null>(null)
  useEffect(() => {
    if (followed !== null) list.current?.children.item(followed.to)?.querySelector<HTMLElement>(".picker")?.focus()
  }, [followed])
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
    event.dataTransfer.setData("text/plain", steps[from] ?? "")
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
            key={`${index} ${step}`}
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
          </li>
        ))}
      </ol>
      <p className="unseen" role="status">
        {followed === null ? "" : `${steps[followed.to] ?? ""} is step ${followed.to + 1} now`}
      </p>
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
