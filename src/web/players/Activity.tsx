import { addDays } from "../builder/Days.ts"
import { countText, numberText } from "../text/Numbers.ts"
import { bucketName, dayKey } from "../text/Times.ts"
import { Skeleton } from "../ui/States.tsx"
import type { Marker } from "./PlayerQueries.ts"
import { mostRecent } from "./PlayerQueries.ts"
import { countsByDay } from "./Sessions.ts"

interface Props {
  readonly markers: ReadonlyArray<Marker> | undefined
  /** Whether there are older ones in these days. */
  readonly isCut: boolean
  readonly now: number
  readonly timezone: string
}

export const shownDays = 30

/** The days that are shown, such as `2026-11-22`, the last of them today: not every one of them has 24 hours. */
export const lastDays = (today: string): ReadonlyArray<string> =>
  Array.from({ length: shownDays }, (_, index) => addDays(today, index + 1 - shownDays))

const height = 48
const gap = 2
const step = 10

/** A bar for each of the last 30 days of the project's zone. */
export const Activity = ({ markers, isCut, now, timezone }: Props) => {
  if (markers === undefined) return <Skeleton height={height} />
  const dayOf = (instant: number) => dayKey(new Date(instant).toISOString(), timezone)
  const days = lastDays(dayOf(now))
  const counts = countsByDay(markers, days, dayOf)
  const highest = Math.max(1, ...counts)
  const active = counts.filter((count) => count > 0).length
  const words = `Active on ${numberText(active)} of the last ${shownDays} days, at most ${countText(highest, "marker")} a day`
  return (
    <figure className="activity">
      <svg
        role="img"
        aria-label={words}
        viewBox={`0 0 ${shownDays * step - gap} ${height}`}
        width="100%"
        height={height}
        preserveAspectRatio="none"
      >
        {counts.map((count, index) => {
          const tall = count === 0 ? 1 : Math.max(3, (count / highest) * height)
          return (
            <rect
              key={days[index]}
              className={count === 0 ? "activity-none" : "activity-day"}
              x={index * step}
              y={height - tall}
              width={step - gap}
              height={tall}
            >
              <title>
                {`${bucketName(`${days[index] ?? ""}T00:00:00Z`, "day", "UTC")}: ${countText(count, "marker")}`}
              </title>
            </rect>
          )
        })}
      </svg>
      <figcaption className="faint">
        {active === 0 ? `No marker in the last ${shownDays} days` : words}
        {isCut ? `, counted from the newest ${numberText(mostRecent)}` : ""}
      </figcaption>
    </figure>
  )
}
