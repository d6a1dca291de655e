import { isDay } from "../builder/Days.ts"
import type { Codec } from "../url/Codec.ts"

/** What the page of a cohort shows of it. */
export interface CohortState {
  /** Whether the chart has the members, or those who came and went. */
  readonly over: "size" | "moves"
  /** The day at whose end the members are listed, `2026-11-29`; empty for now. */
  readonly day: string
}

export const cohortCodec: Codec<CohortState> = {
  read: (parameters) => {
    const day = parameters.get("day") ?? ""
    return { over: parameters.get("over") === "moves" ? "moves" : "size", day: isDay(day) ? day : "" }
  },
  write: ({ over, day }) => {
    const parameters = new URLSearchParams()
    if (over !== "size") parameters.set("over", over)
    if (day !== "") parameters.set("day", day)
    return parameters
  }
}
