import type { KeyboardEvent } from "react"
import { Icon } from "../ui/Icon.tsx"
import { addDays, daysInMonth, weekdayOf } from "./Days.ts"
import { meaningOf } from "../ui/Keys.ts"

interface Props {
  /** Its first day. */
  readonly month: string
  readonly now: string
  readonly from: string
  readonly to: string
  readonly onChoose: (day: string) => void
  /** Shows the month before; undefined where another month of the picture does. */
  readonly onMove: (() => void) | undefined
  readonly onNext: (() => void) | undefined
}

const nameOf = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" })
const weekdays = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
const moves: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** The days of a month; arrows move between days, over the edge of the month too while the other one is shown. */
export const Month = ({ month, now, from, to, onChoose, onMove, onNext }: Props) => {
  const name = nameOf.format(new Date(`${month}T00:00:00Z`))
  const days = Array.from({ length: daysInMonth(month) }, (_, index) => addDays(month, index))
  const start = weekdayOf(month)
  const focused = days.includes(to) ? to : (days.findLast((day) => day <= now) ?? month)
  const onKeyDown = (day: string) => (event: KeyboardEvent<HTMLButtonElement>) => {
    const move = meaningOf(moves, event)
    if (move === undefined) return
    event.preventDefault()
    const next = event.currentTarget.form?.querySelector<HTMLButtonElement>(`[data-day="${addDays(day, move)}"]`)
    next?.focus()
  }
  const weeks = Array.from({ length: Math.ceil((start + days.length) / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, weekday) => days[week * 7 + weekday - start])
  )
  return (
    <section className="month" aria-label={name}>
      <header>
        {onMove !== undefined && (
          <button
            type="button"
            className="button button-icon button-quiet month-before"
            aria-label="Earlier"
            onClick={onMove}
          >
            <Icon name="chevron" size={14} />
          </button>
        )}
        <b>{name}</b>
        {onNext !== undefined && (
          <button
            type="button"
            className="button button-icon button-quiet month-next"
            aria-label="Later"
            onClick={onNext}
          >
            <Icon name="chevron" size={14} />
          </button>
        )}
      </header>
      <table>
        <thead>
          <tr>
            {weekdays.map((weekday) => (
              <th key={weekday} scope="col">
                {weekday}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, row) => (
            <tr key={row}>
              {week.map((day, column) =>
                day === undefined ? (
                  <td key={column}>{"\u00a0"}</td>
                ) : (
                  <td key={day}>
                    <button
                      type="button"
                      data-day={day}
                      className={day >= from && day <= to ? "day day-within" : "day"}
                      aria-pressed={day === from || day === to}
                      aria-label={day}
                      aria-current={day === now ? "date" : undefined}
                      disabled={day > now}
                      tabIndex={day === focused ? 0 : -1}
                      onKeyDown={onKeyDown(day)}
                      onClick={() => onChoose(day)}
                    >
                      {Number(day.slice(8))}
                    </button>
                  </td>
                )
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
