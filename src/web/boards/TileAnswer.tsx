import { useLocation } from "wouter"
import type { BoardTime, Tile } from "../api/boards.ts"
import { useTile } from "../api/boards.ts"
import { ApiFailure } from "../api/Failure.ts"
import type { Answer } from "../api/Wire.ts"
import { timeBody } from "../builder/Period.ts"
import type { SavedQuestion } from "../saved/Kind.ts"
import { looksOf } from "../saved/Looks.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { useOnNewDay, useToday } from "../shell/useToday.ts"
import { loadable, skeleton } from "../ui/Loadable.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import { InsightTile } from "./InsightTile.tsx"

const FunnelTile = loadable(
  () => import("./FunnelTile.tsx").then((chunk) => ({ default: chunk.FunnelTile })),
  skeleton(200)
)
const HeatmapTile = loadable(
  () => import("./HeatmapTile.tsx").then((chunk) => ({ default: chunk.HeatmapTile })),
  skeleton(200)
)
const RetentionTile = loadable(
  () => import("./RetentionTile.tsx").then((chunk) => ({ default: chunk.RetentionTile })),
  skeleton(200)
)

interface Props {
  readonly saved: SavedQuestion
  readonly display: Tile["display"]
  readonly time: BoardTime
  readonly every: number | false
  readonly height: number
  /** The page of the question; null where none shows it. */
  readonly href: string | null
}

/** Periods that move on with the days are those of today, and buckets of retention are as wide as the intervals of its question. */
const timeFor = (saved: SavedQuestion, time: BoardTime, timeZone: string, now: string): BoardTime => {
  if (time !== null) return saved.queryType === "retention" ? { ...time, step: saved.spec.interval } : time
  const { moving } = looksOf(saved.spec.options.display)
  return moving === null || saved.queryType === "heatmap" ? null : timeBody(moving, saved.spec.time.step, timeZone, now)
}

type Result = Answer<"savedQueries.execute">

const isFunnel = (data: Result): data is Answer<"queries.funnels"> =>
  "series" in data && data.series.every((each) => "steps" in each)

const isRetention = (data: Result): data is Answer<"queries.retention"> =>
  "series" in data && data.series.every((each) => "cohorts" in each)

/** Draws the answer of a saved question in the place of a tile. */
export const TileAnswer = ({ saved, display, time, every, height, href }: Props) => {
  const { timezone } = useProject()
  const where = useWhere()
  const day = useToday()
  const [, navigate] = useLocation()
  const { data, error, refetch } = useTile(where, saved.id, timeFor(saved, time, timezone, day), every)
  useOnNewDay(day, refetch)
  const open = () => {
    if (href !== null) navigate(href)
  }
  if (data === undefined) {
    if (error === null) return <Skeleton height={height} />
    if (error instanceof ApiFailure && error.statusCode === 404) {
      return <p className="tile-nothing">{error.message}</p>
    }
    return <Failed error={error} retry={() => void refetch()} />
  }
  return "buckets" in data ? (
    <InsightTile answer={data} saved={saved} display={display} timezone={timezone} height={height} />
  ) : "points" in data && saved.queryType === "heatmap" ? (
    <HeatmapTile answer={data} label={saved.name} heatmapId={saved.spec.heatmapData.id} height={height} />
  ) : isRetention(data) && saved.queryType === "retention" ? (
    <RetentionTile answer={data} label={saved.name} interval={saved.spec.interval} timezone={timezone} onOpen={open} />
  ) : isFunnel(data) ? (
    <FunnelTile answer={data} label={saved.name} onOpen={open} />
  ) : (
    <p className="tile-nothing">The answer is not one of the question.</p>
  )
}
