import { minuteMillis } from "../../domain/Durations.ts"

interface Timed {
  readonly sequence: number
  readonly sessionId: string | null
  readonly timestamp: string
}

/** Markers that follow each other in one session of play, newest first. */
export interface Session<Marker extends Timed> {
  /** Null where the game names no sessions: then a pause of half an hour ends one. */
  readonly id: string | null
  readonly markers: ReadonlyArray<Marker>
  /** Seconds from the first to the last of them. */
  readonly seconds: number
  /** Seconds of silence between this session and the one after it in time; null for the newest. */
  readonly pause: number | null
}

const longestPause = 30 * minuteMillis

const timeOf = ({ timestamp }: Timed): number => Date.parse(timestamp)

const idOf = (group: ReadonlyArray<Timed>): string | null =>
  group.find(({ sessionId }) => sessionId !== null)?.sessionId ?? null

/**
 * Whether a marker belongs to the session of those after it. One without a session, such as an exposure, which the server notes by itself,
 * does not end what goes on around it.
 */
const isOneOf = (group: ReadonlyArray<Timed>, marker: Timed): boolean => {
  const [id, next] = [idOf(group), group.at(-1)]
  return id !== null && marker.sessionId !== null
    ? id === marker.sessionId
    : next !== undefined && timeOf(next) - timeOf(marker) <= longestPause
}

/** Groups markers, newest first, by session. */
export const sessionsOf = <Marker extends Timed>(markers: ReadonlyArray<Marker>): ReadonlyArray<Session<Marker>> => {
  const groups: Array<Array<Marker>> = []
  for (const marker of markers) {
    const group = groups.at(-1)
    if (group !== undefined && isOneOf(group, marker)) group.push(marker)
    else groups.push([marker])
  }
  return groups.flatMap((own, index) => {
    const [last, first, next] = [own[0], own.at(-1), groups[index - 1]?.at(-1)]
    if (last === undefined || first === undefined) return []
    const pause = next === undefined ? null : Math.max(0, timeOf(next) - timeOf(last)) / 1000
    return [{ id: idOf(own), markers: own, seconds: (timeOf(last) - timeOf(first)) / 1000, pause }]
  })
}

/** The number of markers on each of the days, which `dayOf` names for an instant (epoch ms). */
export const countsByDay = (
  markers: ReadonlyArray<Timed>,
  days: ReadonlyArray<string>,
  dayOf: (instant: number) => string
): ReadonlyArray<number> => {
  const counts = new Map<string, number>()
  for (const marker of markers) {
    const day = dayOf(timeOf(marker))
    counts.set(day, (counts.get(day) ?? 0) + 1)
  }
  return days.map((day) => counts.get(day) ?? 0)
}
