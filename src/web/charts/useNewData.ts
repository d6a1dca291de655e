import { useEffect, useRef, useState } from "react"
import type { Where } from "../api/queries.ts"
import { useStream, useStreamStatus } from "../api/Stream.ts"
import { useOnNewDay } from "../shell/useToday.ts"

/** Milliseconds after which a chart about the present is asked for again. */
const refreshEvery = 60_000

interface Asked {
  /** The present day of the project's zone. */
  readonly day: string
  /** Whether the range of the answer ends now. */
  readonly isAboutNow: boolean
  /** The marker types that the answer is made of. */
  readonly types: ReadonlyArray<string>
  /** When the answer came, in epoch milliseconds. */
  readonly answeredAt: number
  readonly refetch: () => unknown
}

/**
 * Whether markers arrived that the answer does not have yet. It is asked for again each minute in which some did, or in which nobody can
 * tell, but never while the pointer is on the chart, where somebody reads it: `pointer` goes on the chart's element.
 */
export const useNewData = (where: Where, { day, isAboutNow, types, answeredAt, refetch }: Asked) => {
  const [arrivedAt, setArrivedAt] = useState(0)
  const status = useStreamStatus(where)
  const isOver = useRef(false)
  const isDue = useRef(false)
  useStream(where, "markers", ({ counts, others }) => {
    if (others > 0 || counts.some(({ type }) => types.includes(type))) setArrivedAt(Date.now())
  })
  const hasNew = isAboutNow && answeredAt > 0 && arrivedAt > answeredAt
  // A relative time has another day, or one more, once the next has begun, whether or not a marker came.
  useOnNewDay(day, () => (isAboutNow && answeredAt > 0 ? refetch() : undefined))
  // Before the first answer there is nothing to refresh, and perhaps no question yet.
  const isWanted = answeredAt > 0 && (hasNew || (isAboutNow && status !== "open"))
  useEffect(() => {
    if (!isWanted) return
    const timer = setInterval(
      () => {
        isDue.current = isOver.current
        if (!isOver.current) refetch()
      },
      Math.max(1000, refreshEvery - (Date.now() - answeredAt))
    )
    return () => clearInterval(timer)
  }, [answeredAt, isWanted, refetch])
  const pointer = {
    onPointerEnter: () => {
      isOver.current = true
    },
    onPointerLeave: () => {
      isOver.current = false
      if (isDue.current) refetch()
      isDue.current = false
    }
  }
  return { hasNew, pointer }
}
