import { useEffect, useRef, useState } from "react"
import { minuteMillis } from "../../domain/Durations.ts"
import { today } from "../builder/Days.ts"
import { useProject } from "./Project.tsx"

/** The present day of the project's zone, such as `2026-11-22`. A page that stays open over midnight is drawn again with the next one. */
export const useToday = (): string => {
  const { timezone } = useProject()
  const [now, setNow] = useState(() => Date.now())
  const day = today(timezone, now)
  useEffect(() => {
    const look = () => {
      if (today(timezone) !== day) setNow(Date.now())
    }
    const timer = setInterval(look, minuteMillis)
    return () => clearInterval(timer)
  }, [day, timezone])
  return day
}

/** Does something whenever another day has begun. */
export const useOnNewDay = (day: string, begin: () => unknown): void => {
  const seen = useRef(day)
  useEffect(() => {
    if (seen.current === day) return
    seen.current = day
    begin()
  }, [begin, day])
}
