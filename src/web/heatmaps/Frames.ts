import { useCallback, useEffect, useMemo, useState } from "react"
import { dayMillis, hourMillis } from "../../domain/Durations.ts"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { place, queryClient } from "../api/queries.ts"
import { addDays, today } from "../builder/Days.ts"
import type { Period } from "../builder/Period.ts"
import { dayOf, dayStart, daysOf, stepFor, timeBefore } from "../builder/Period.ts"
import type { HeatmapAnswer } from "./Grid.ts"
import type { HeatmapBody } from "./HeatmapQuestion.ts"

export type FrameStep = "day" | "hour"

/** A part of the period that is shown at a time. */
export interface Frame {
  readonly from: string
  readonly to: string
}

/** Steps that one play has at most. */
export const mostFrames = 92
/** Days of a period that can be played by the hour: three, and today. */
const mostDaysByHour = 4

/** Where the map of the period begins (epoch ms): hours before now are no whole days. */
const startOf = (period: Period, timeZone: string, now: number): number => {
  const day = today(timeZone, now)
  if (period.kind !== "relative") return Date.parse(dayStart(daysOf(period, day).from, timeZone))
  const start = Date.parse(timeBefore(period, timeZone, day, now).to)
  return stepFor(period) === "hour" ? start : Date.parse(dayStart(dayOf(start, timeZone), timeZone))
}

/** The days or hours of a period up to now, which together are its map; null where they are too many to play. */
export const framesOf = (
  period: Period,
  step: FrameStep,
  timeZone: string,
  now: number
): ReadonlyArray<Frame> | null => {
  const start = startOf(period, timeZone, now)
  const from = dayOf(start, timeZone)
  const { to } = daysOf(period, today(timeZone, now))
  const count = Math.round((Date.parse(to) - Date.parse(from)) / dayMillis) + 1
  if (count > (step === "day" ? mostFrames : mostDaysByHour)) return null
  const days = Array.from({ length: count }, (_, at) => addDays(from, at))
  const frames = days.flatMap((day) => {
    const [begin, end] = [dayStart(day, timeZone), dayStart(day, timeZone, 1)]
    if (step === "day") return [{ from: begin, to: end }]
    const hours = Math.round((Date.parse(end) - Date.parse(begin)) / hourMillis)
    const at = (hour: number) => new Date(Date.parse(begin) + hour * hourMillis).toISOString()
    return Array.from({ length: hours }, (__, hour) => ({ from: at(hour), to: at(hour + 1) }))
  })
  return frames.filter((frame) => Date.parse(frame.from) <= now && Date.parse(frame.to) > start)
}

/** Milliseconds that a frame is shown. */
const shownFor = 700

interface Loaded {
  readonly key: string
  readonly answers: ReadonlyArray<HeatmapAnswer>
}

/** Steps through the days or hours of a question. All of them are asked before the first is shown, so that colours mean the same in each. */
export const usePlay = (
  where: Where,
  body: HeatmapBody | null,
  frames: ReadonlyArray<Frame> | null,
  step: FrameStep
) => {
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [at, setAt] = useState<number | null>(null)
  const [isRunning, setRunning] = useState(false)
  const bodies = useMemo(
    () =>
      body === null || frames === null ? [] : frames.map(({ from, to }) => ({ ...body, time: { step, from, to } })),
    [body, frames, step]
  )
  const key = JSON.stringify(bodies)
  const answers = loaded?.key === key ? loaded.answers : null
  const last = bodies.length - 1
  const isLoading = progress !== null

  useEffect(() => {
    if (!isLoading) return
    let isOver = false
    const load = async (): Promise<void> => {
      const found: Array<HeatmapAnswer> = []
      for (const each of bodies) {
        const answer: HeatmapAnswer = await queryClient.fetchQuery({
          queryKey: ["heatmap-frame", where, each],
          queryFn: ({ signal }) => call("queries.heatmaps", { ...place(where), body: each, signal })
        })
        if (isOver) return
        found.push(answer)
        setProgress(found.length)
      }
      setProgress(null)
      // A period that became too long meanwhile, or a comparison, has no steps.
      if (found.length === 0) return
      setLoaded({ key, answers: found })
      setAt(0)
      setRunning(true)
    }
    load().catch((reason: unknown) => {
      if (isOver) return
      setProgress(null)
      setError(reason instanceof Error ? reason : new Error("The steps could not be loaded"))
    })
    return () => {
      isOver = true
    }
  }, [bodies, isLoading, key, where])

  useEffect(() => {
    if (!isRunning || answers === null || at === null) return
    const timer = setTimeout(() => {
      if (at >= last) setRunning(false)
      else setAt(at + 1)
    }, shownFor)
    return () => clearTimeout(timer)
  }, [answers, at, isRunning, last])

  const play = useCallback(() => {
    setError(null)
    if (answers === null) setProgress(0)
    else {
      setAt((present) => (present === null || present >= last ? 0 : present))
      setRunning(true)
    }
  }, [answers, last])
  const stop = useCallback(() => {
    setRunning(false)
    setProgress(null)
    setAt(null)
  }, [])
  return {
    answers,
    /** The frame that is shown; null where the whole period is. */
    at: answers === null ? null : at,
    /** What was asked for that frame. */
    body: answers === null || at === null ? undefined : bodies[at],
    count: bodies.length,
    isRunning: isRunning && answers !== null,
    /** Frames that are loaded; null where none are being loaded. */
    progress,
    error,
    play,
    pause: useCallback(() => setRunning(false), []),
    show: useCallback((frame: number) => {
      setRunning(false)
      setAt(frame)
    }, []),
    stop
  } as const
}

export type Play = ReturnType<typeof usePlay>
