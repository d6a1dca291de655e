import { minuteMillis } from "../../domain/Durations.ts"
import { useInsight } from "../api/questions.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { changeOf } from "../text/Change.ts"
import { changeText, numberText } from "../text/Numbers.ts"
import { clockText } from "../text/Times.ts"
import { Skeleton } from "../ui/States.tsx"
import { dayBody, type Names, sameHours, totalOf } from "./HomeQuestions.ts"
import type { Revenue } from "./Revenue.ts"
import { useNow } from "./useNow.ts"

interface Props {
  readonly names: Names
  readonly revenue: Revenue | null
}

const Change = ({ now, before }: { readonly now: number | null; readonly before: number | null }) => {
  const change = changeOf(now, before)
  if (change === null) return <small className="faint">{numberText(before)}</small>
  return (
    <>
      <span className={change > 0 ? "up" : change < 0 ? "down" : ""}>{changeText(change)}</span>{" "}
      <small className="faint">of {numberText(before)}</small>
    </>
  )
}

/** Today so far against the same hours of yesterday and of a week ago. */
export const Today = ({ names, revenue }: Props) => {
  const { timezone } = useProject()
  const where = useWhere()
  const now = useNow(minuteMillis)
  const range = sameHours(now, timezone, 0)
  const today = useInsight(where, dayBody(names, revenue, range), null)
  const yesterday = useInsight(where, dayBody(names, revenue, sameHours(now, timezone, 1)), null)
  const lastWeek = useInsight(where, dayBody(names, revenue, sameHours(now, timezone, 7)), null)
  const rows = [
    ["players", "Players"],
    ["sessions", "Sessions"],
    ["markers", "Markers"],
    ...(revenue === null ? [] : [["revenue", "Revenue"] as const])
  ] as const
  const error = today.error ?? yesterday.error ?? lastWeek.error
  return (
    <section className="card home-today" aria-label="Today so far" aria-busy={today.isFetching}>
      <h2>Today so far</h2>
      {today.data === undefined ? (
        error === null ? (
          <Skeleton height={180} />
        ) : (
          <p className="form-error">{error.message}</p>
        )
      ) : (
        <div className="table-box" role="region" aria-label="Today so far in numbers" tabIndex={0}>
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Until {clockText(range.to, timezone).slice(0, 5)}</th>
                <th scope="col" className="number">
                  Today
                </th>
                <th scope="col" className="number">
                  Against yesterday
                </th>
                <th scope="col" className="number">
                  Against last week
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(([id, words]) => {
                const value = totalOf(today.data.answer, id)
                return (
                  <tr key={id}>
                    <th scope="row">{words}</th>
                    <td className="number">
                      <b>{numberText(value)}</b>
                    </td>
                    <td className="number">
                      <Change now={value} before={totalOf(yesterday.data?.answer, id)} />
                    </td>
                    <td className="number">
                      <Change now={value} before={totalOf(lastWeek.data?.answer, id)} />
                    </td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </div>
      )}
      <footer className="card-foot">
        <span>
          {revenue === null
            ? "Revenue is not shown: no marker named like a purchase has one argument of numbers named like an amount."
            : `Revenue is the sum of ${revenue.argument} of ${revenue.marker}, as the game sends it.`}
        </span>
        <span>Times are {timezone}.</span>
      </footer>
    </section>
  )
}
