import type { FormEvent } from "react"
import { useEffect, useId, useRef, useState } from "react"
import { addMonths, firstOfMonth, today } from "./Days.ts"
import { Month } from "./Month.tsx"
import type { Period } from "./Period.ts"
import { daysOf, periodWords } from "./Period.ts"
import { typedPeriod } from "./TypedPeriod.ts"
import "../theme/period.css"

interface Props {
  readonly period: Period
  readonly timezone: string
  readonly onChoose: (period: Period) => void
}

/** A period typed in words, or two days of two months; nothing changes until it is chosen. */
export const CustomPeriod = ({ period, timezone, onChoose }: Props) => {
  const help = useId()
  const field = useRef<HTMLInputElement>(null)
  const now = today(timezone)
  const present = daysOf(period, now)
  const [typed, setTyped] = useState("")
  const [shown, show] = useState(() => addMonths(firstOfMonth(present.to), -1))
  const [first, setFirst] = useState<string | null>(null)
  const read = typed.trim() === "" ? null : typedPeriod(typed, now)
  const chosen = first !== null ? { from: first, to: first } : read === null ? present : daysOf(read, now)
  useEffect(() => field.current?.focus(), [])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (read !== null) onChoose(read)
  }
  const choose = (day: string) => {
    if (first === null) {
      setFirst(day)
      return
    }
    onChoose({ kind: "dates", from: first < day ? first : day, to: first < day ? day : first })
  }
  return (
    <form className="custom-period" onSubmit={submit}>
      <label className="field">
        Period
        <input
          ref={field}
          placeholder="3 weeks, Oct 1 - now, 2026-10-01"
          autoComplete="off"
          aria-describedby={help}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <p id={help} className={read === null && typed.trim() !== "" ? "form-error" : "faint"} aria-live="polite">
        {first !== null
          ? `From ${first}: choose the last day`
          : read !== null
            ? `Enter shows ${periodWords(read)}`
            : typed.trim() === ""
              ? "Type a period, or choose its first and last day"
              : "Not a period: try “14 days”, “Oct 1 - now” or “September”"}
      </p>
      <div className="months">
        {[shown, addMonths(shown, 1)].map((month, index) => (
          <Month
            key={month}
            month={month}
            now={now}
            from={chosen.from}
            to={chosen.to}
            onChoose={choose}
            onMove={index === 0 ? () => show(addMonths(shown, -1)) : undefined}
            onNext={index === 1 ? () => show(addMonths(shown, 1)) : undefined}
          />
        ))}
      </div>
    </form>
  )
}
