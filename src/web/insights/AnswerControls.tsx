import { useMemo } from "react"
import { stepFor } from "../builder/Period.ts"
import { PeriodPicker } from "../builder/PeriodPicker.tsx"
import { NotesToggle } from "../notes/NotesToggle.tsx"
import { useShortcuts } from "../shell/Shortcuts.ts"
import { DeniableCheck } from "../ui/DeniableCheck.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { useMenu } from "../ui/useMenu.ts"
import { isDrawn } from "./Ask.ts"
import type { InsightDraft } from "./Question.ts"

const displays = [
  ["line", "Line"],
  ["area", "Area"],
  ["bars", "Bars"],
  ["totals", "Totals"],
  ["number", "Number"],
  ["table", "Table"]
] as const

const steps = [
  ["hour", "Hour"],
  ["day", "Day"],
  ["week", "Week"],
  ["month", "Month"]
] as const

const means = [
  ["1", "Off"],
  ["3", "3"],
  ["7", "7"],
  ["28", "28"]
] as const

interface Props {
  readonly question: InsightDraft
  readonly onChange: (part: Partial<InsightDraft>) => void
}

/** How the answer is looked at: its period and steps, its shape, and under "…" what is wanted less often. */
export const AnswerControls = ({ question, onChange }: Props) => {
  const { menu } = useMenu({ stays: true })
  const shortcuts = useMemo(
    () => [
      {
        keys: "c",
        words: "Compare with the period before",
        run: () => onChange({ isCompared: !question.isCompared })
      }
    ],
    [onChange, question.isCompared]
  )
  useShortcuts(shortcuts)
  const onPeriod = useMemo(() => (period: InsightDraft["period"]) => onChange({ period, step: null }), [onChange])
  const isChanged =
    question.isCumulative ||
    question.smoothing > 1 ||
    (isDrawn(question) && (question.isLogarithmic || question.isShare))
  return (
    <>
      <div className="toolbar">
        <PeriodPicker period={question.period} onChange={onPeriod} />
        <span className="toolbar-end">
          <Segmented
            label="Width of a step"
            value={question.step ?? stepFor(question.period)}
            choices={steps}
            onChoose={(step) => onChange({ step: step === stepFor(question.period) ? null : step })}
          />
        </span>
      </div>
      <div className="toolbar">
        <label className="check">
          <input
            type="checkbox"
            checked={question.isCompared}
            onChange={(event) => onChange({ isCompared: event.target.checked })}
          />
          Compare with before
        </label>
        {isDrawn(question) && <NotesToggle />}
        <span className="toolbar-end row">
          <Segmented
            label="Shown as"
            value={question.display}
            choices={displays}
            onChoose={(display) => onChange({ display })}
          />
          <details className="menu menu-below menu-right" {...menu}>
            <summary aria-label="More ways to look at it" className={isChanged ? "menu-changed" : ""}>
              <Icon name="more" />
            </summary>
            <div className="menu-body">
              <DeniableCheck
                denied={null}
                isChecked={question.isCumulative}
                onChange={(isCumulative) => onChange({ isCumulative })}
              >
                Add up from bucket to bucket
              </DeniableCheck>
              <DeniableCheck
                denied={
                  isDrawn(question) ? null : "Only a drawing has it: show the answer as lines, areas or bars first."
                }
                isChecked={question.isShare}
                onChange={(isShare) => onChange({ isShare })}
              >
                Percent of the whole
              </DeniableCheck>
              <DeniableCheck
                denied={question.display === "line" ? null : "Only lines have it: show the answer as lines first."}
                isChecked={question.isLogarithmic}
                onChange={(isLogarithmic) => onChange({ isLogarithmic })}
              >
                Logarithmic axis, for lines
              </DeniableCheck>
              <div className="menu-choice">
                Mean of the last steps
                <Segmented
                  label="Mean of the last steps"
                  value={String(question.smoothing)}
                  choices={means}
                  onChoose={(mean) => onChange({ smoothing: Number(mean) })}
                />
              </div>
            </div>
          </details>
        </span>
      </div>
    </>
  )
}
