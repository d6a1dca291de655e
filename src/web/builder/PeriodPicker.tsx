import { useMemo } from "react"
import { useProject } from "../shell/Project.tsx"
import { useShortcuts } from "../shell/Shortcuts.ts"
import { loadable } from "../ui/Loadable.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { useMenu } from "../ui/useMenu.ts"
import { today } from "./Days.ts"
import type { Period } from "./Period.ts"
import { daysOf, movedPeriod, periodOf, periodText, periodWords } from "./Period.ts"

const presets: ReadonlyArray<readonly [string, string]> = [
  ["24h", "24 h"],
  ["7d", "7 d"],
  ["14d", "14 d"],
  ["30d", "30 d"],
  ["90d", "90 d"]
]

interface Props {
  readonly period: Period
  readonly onChange: (period: Period) => void
}

const CustomPeriod = loadable(() => import("./CustomPeriod.tsx").then((chunk) => ({ default: chunk.CustomPeriod })))

/** The same period with today left out, or taken in again; null where today cannot be told from it. */
const withoutToday = (period: Period): Period | null =>
  period.kind === "past"
    ? { kind: "relative", step: period.step, value: period.value }
    : period.kind === "relative" && period.step !== "hour"
      ? { kind: "past", step: period.step, value: period.value }
      : null

/** Presets, and any other period in words or from a calendar. `t` shows today, `,` and `.` move the period. */
export const PeriodPicker = ({ period, onChange }: Props) => {
  const { timezone } = useProject()
  const { isOpen, close, menu } = useMenu()
  const other = withoutToday(period)
  const { from, to } = daysOf(period, today(timezone))
  const inside = period.kind === "past" ? periodText({ ...period, kind: "relative" }) : periodText(period)
  const isPreset = presets.some(([text]) => text === inside)
  const shortcuts = useMemo(() => {
    const move = (by: -1 | 1) => () => onChange(movedPeriod(period, by, today(timezone)))
    const now = today(timezone)
    return [
      { keys: "t", words: "Today", run: () => onChange({ kind: "dates", from: now, to: now }) },
      { keys: ",", words: "The period before", run: move(-1) },
      { keys: ".", words: "The period after", run: move(1) }
    ]
  }, [onChange, period, timezone])
  useShortcuts(shortcuts)
  return (
    <div className="period">
      <Segmented
        label="Period"
        value={inside}
        choices={presets}
        onChoose={(text) => onChange(periodOf(text) ?? period)}
      />
      <details className="menu menu-below" {...menu}>
        <summary title={from === to ? from : `${from} to ${to}`}>
          {isPreset && period.kind !== "past" ? "Custom …" : periodWords(period)}
        </summary>
        <div className="menu-body">
          {isOpen && (
            <CustomPeriod
              key={periodText(period)}
              period={period}
              timezone={timezone}
              onChoose={(chosen) => {
                close()
                onChange(chosen)
              }}
            />
          )}
          {other !== null && (
            <label className="check">
              <input type="checkbox" checked={period.kind === "past"} onChange={() => onChange(other)} />
              Not today, which is not over
            </label>
          )}
        </div>
      </details>
    </div>
  )
}
