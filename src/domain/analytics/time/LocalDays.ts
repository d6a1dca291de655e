import { Option } from "effect"
import { nextStart, startOf } from "../../Calendar.ts"
import { dayMillis } from "../../Durations.ts"
import { zoneNamed } from "../../Zone.ts"

/**
 * Returns a function that tells the start (epoch ms) of the day in which an instant lies, by the calendar of the zone (IANA name). It is
 * quick where instants of one day follow each other. Days are those of UTC where the zone is not known.
 */
export const dayStarts = (zone: string): ((instant: number) => number) =>
  Option.match(zoneNamed(zone), {
    onNone: () => (instant: number) => Math.floor(instant / dayMillis) * dayMillis,
    onSome: (known) => {
      // Days begin the same whatever day a week begins with.
      const calendar = { zone: known, weekStart: 0 } as const
      let [start, end] = [0, 0]
      return (instant: number) => {
        if (instant >= start && instant < end) return start
        start = startOf(calendar, "day", instant)
        end = nextStart(calendar, "day", start)
        return start
      }
    }
  })
