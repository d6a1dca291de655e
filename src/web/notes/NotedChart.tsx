import { useMemo } from "react"
import { dayMillis, hourMillis } from "../../domain/Durations.ts"
import type { Note, NoteRange } from "../api/notes.ts"
import { useNotes } from "../api/notes.ts"
import type { ChartNote } from "../charts/NotePlaces.ts"
import type { TimeChartProps } from "../charts/TimeChart.tsx"
import { TimeChart } from "../charts/TimeChart.tsx"
import type { ProjectContext } from "../shell/Project.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import type { Step } from "../text/Times.ts"
import { zonedText } from "../text/Times.ts"
import { noteName, notePage } from "./NotePage.ts"
import { useAreNotesShown } from "./Shown.ts"

/** Milliseconds of the longest bucket of each step. */
const longest: Readonly<Record<Step, number>> = {
  hour: hourMillis,
  day: 25 * hourMillis,
  week: 7 * dayMillis + hourMillis,
  month: 31 * dayMillis + hourMillis
}

/** The time that the buckets of a chart cover. */
const rangeOf = (buckets: ReadonlyArray<string>, step: Step): NoteRange | null => {
  const [first, last] = [buckets[0], buckets.at(-1)]
  if (first === undefined || last === undefined) return null
  return { from: first, to: new Date(Date.parse(last) + longest[step]).toISOString() }
}

const noteOf = (note: Note, { applicationId, environment, timezone }: ProjectContext): ChartNote => {
  const { at, by, text } = note
  return {
    at,
    text: `${noteName(note)}: ${text}`,
    detail: zonedText(at, timezone, timezone) + (by === null ? "" : `, ${by.email}`),
    address: `/p/${applicationId}/${environment.alias}/${notePage(note)}`
  }
}

const none: ReadonlyArray<ChartNote> = []

/** A chart over time that notes above it what changed the game, unless somebody does not want to see that. */
export const NotedChart = (props: TimeChartProps) => {
  const project = useProject()
  const where = useWhere()
  const areShown = useAreNotesShown()
  const { buckets, step } = props
  const range = useMemo(() => rangeOf(buckets, step), [buckets, step])
  const found = useNotes(where, areShown ? range : null)
  const notes = useMemo(
    () => (areShown ? (found.data?.items.map((note) => noteOf(note, project)) ?? none) : undefined),
    [areShown, found.data, project]
  )
  return notes === undefined ? <TimeChart {...props} /> : <TimeChart {...props} notes={notes} />
}
