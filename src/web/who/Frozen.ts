import type { BodyOf } from "../api/Endpoints.ts"
import type { Answer } from "../api/Wire.ts"

/** The time of an answer, so that what arrived since does not count. A relative time includes its last millisecond. */
export const frozenTime = (asked: BodyOf<"queries.insights">["time"], told: Answer<"queries.insights">["time"]) => ({
  step: told.step,
  timezone: told.timezone,
  from: told.from,
  to: "relative" in asked ? new Date(Date.parse(told.to) + 1).toISOString() : told.to
})
