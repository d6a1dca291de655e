import type { BoardTime } from "../api/boards.ts"
import { periodOf, periodText, periodWords, stepFor, timeBody } from "../builder/Period.ts"

/** Stands for no time of its own among the choices. */
export const noTime = "-"

const presets = ["24h", "7d", "14d", "30d", "90d", "1y"] as const

/** The time as an address writes it, `30d`; null where it is none that the page offers. */
export const rangeOf = (time: BoardTime): string | null => {
  if (time === null) return noTime
  if (!("relative" in time) || time.relative.step === "minute") return null
  return periodText({ kind: "relative", step: time.relative.step, value: time.relative.value })
}

/** The time of a text such as `30d`; null for none. */
export const timeOf = (range: string): BoardTime => {
  const period = periodOf(range)
  return period?.kind !== "relative" ? null : timeBody(period, stepFor(period), "UTC")
}

/** Choices of a time in words; the present one is among them. */
export const timeChoices = (none: string, present: string | null): ReadonlyArray<readonly [string, string]> => {
  const known: ReadonlyArray<string> = presets
  const others = present === null || present === noTime || known.includes(present) ? [] : [present]
  const wordsOf = (range: string): string => {
    const period = periodOf(range)
    return period === null ? range : periodWords(period)
  }
  return [[noTime, none], ...[...known, ...others].map((range): readonly [string, string] => [range, wordsOf(range)])]
}
