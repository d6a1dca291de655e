import { useRetention } from "../api/questions.ts"
import { dayOf } from "../builder/Period.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { useOnNewDay, useToday } from "../shell/useToday.ts"
import { countText, numberText, percentText } from "../text/Numbers.ts"
import { bucketName } from "../text/Times.ts"
import { Skeleton } from "../ui/States.tsx"
import { comeBackBody, type Names } from "./HomeQuestions.ts"

/** How many of yesterday's new players are back today, and how many of the day before were back after a day. */
export const ComeBack = ({ names }: { readonly names: Names }) => {
  const { timezone } = useProject()
  const retention = useRetention(useWhere(), comeBackBody(names), names)
  const today = useToday()
  useOnNewDay(today, retention.refetch)
  const rows = (retention.data?.answer.series[0]?.cohorts ?? []).filter(
    ({ start, size }) => size > 0 && dayOf(Date.parse(start), timezone) !== today
  )
  const finished = rows.findLast(({ values }) => values[0]?.complete === true)
  const value = finished?.values[0]
  const open = rows.findLast(({ values }) => values[0]?.complete === false)
  const soFar = open?.values[0]
  return (
    <section className="card" aria-label="Back after a day" aria-busy={retention.isFetching}>
      <h2>Back after a day</h2>
      {retention.data === undefined ? (
        retention.error === null ? (
          <Skeleton height={96} />
        ) : (
          <p className="form-error">{retention.error.message}</p>
        )
      ) : finished === undefined || value === undefined ? (
        <p className="faint">Nobody who came for the first time in these days could be back yet.</p>
      ) : (
        <>
          <p className="home-number">{percentText(value.rate)}</p>
          <p>
            {numberText(value.count)} of {countText(finished.size, "new player")} of{" "}
            {bucketName(finished.start, "day", timezone)} were back the day after.
          </p>
        </>
      )}
      {open !== undefined && soFar !== undefined && (
        <p className="faint">
          Of yesterday's {countText(open.size, "new player")}, {numberText(soFar.count)}{" "}
          {soFar.count === 1 ? "is" : "are"} back today so far.
        </p>
      )}
    </section>
  )
}
