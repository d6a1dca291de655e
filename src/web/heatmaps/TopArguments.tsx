import { useQuery } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { place } from "../api/queries.ts"
import { filterBody, isFinished } from "../builder/Filters.ts"
import { dayStart, daysOf } from "../builder/Period.ts"
import { today } from "../builder/Days.ts"
import { countText, numberText, percentText } from "../text/Numbers.ts"
import { Failed, Skeleton } from "../ui/States.tsx"
import { isInside, topArguments } from "./Arguments.ts"
import type { Cells, Grid } from "./Grid.ts"
import type { HeatmapQuestion } from "./HeatmapQuestion.ts"

interface Props {
  readonly where: Where
  readonly question: HeatmapQuestion
  readonly grid: Grid
  readonly cells: Cells
  readonly timezone: string
}

/** Markers that are looked at: pages of the newest ones. */
const mostPages = 3
const pageSize = 1000

type Markers = Awaited<ReturnType<typeof call<"markers.raw">>>["items"]

/** The newest markers of the question, and whether these are all. */
const newestOf = async (where: Where, question: HeatmapQuestion, timezone: string, signal: AbortSignal) => {
  const { from, to } = daysOf(question.period, today(timezone))
  const body = {
    types: [question.marker] as const,
    from: dayStart(from, timezone),
    to: dayStart(to, timezone, 1),
    filters: question.filters.filter(isFinished).map(filterBody),
    match: question.match,
    limit: pageSize
  }
  const found: Array<Markers[number]> = []
  let cursor: string | null = null
  for (let pages = 0; pages < mostPages; pages++) {
    const page: Awaited<ReturnType<typeof call<"markers.raw">>> = await call("markers.raw", {
      ...place(where),
      body: { ...body, cursor },
      signal
    })
    for (const marker of page.items) found.push(marker)
    cursor = page.nextCursor
    if (cursor === null) return { markers: found, isAll: true }
  }
  return { markers: found, isAll: false }
}

/** What markers inside the area say in their arguments, from a sample of the newest ones. */
export const TopArguments = ({ where, question, grid, cells, timezone }: Props) => {
  const { marker, filters, match, period } = question
  const newest = useQuery({
    queryKey: ["heatmap-newest", where, marker, filters, match, period],
    queryFn: ({ signal }) => newestOf(where, question, timezone, signal)
  })
  if (newest.data === undefined) {
    return newest.error === null ? (
      <Skeleton height={120} />
    ) : (
      <Failed error={newest.error} retry={() => void newest.refetch()} />
    )
  }
  const { markers, isAll } = newest.data
  const inside = markers.filter(({ position }) => isInside(grid, cells, question, position))
  const found = topArguments(inside)
  return (
    <section className="area-arguments" aria-label="Most frequent arguments">
      <p className="faint">
        {isAll ? "Of all" : "Of the newest"} {countText(markers.length, "marker")} of the period,{" "}
        {numberText(inside.length)} lie here.
        {inside.length === 0 ? "" : found.length === 0 ? " They carry no arguments." : " They say:"}
      </p>
      {found.map(({ name, values }) => (
        <div key={name}>
          <h3>{name}</h3>
          <ul>
            {values.map(([value, count]) => (
              <li key={value}>
                <span>{value}</span>
                <b>{percentText((100 * count) / inside.length, 0)}</b>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}
