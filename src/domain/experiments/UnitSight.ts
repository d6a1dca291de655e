import { dayMillis } from "../Durations.ts"
import type { EnvironmentId } from "../Ids.ts"
import type { UnitType } from "./Experiment.ts"

/** When the server first saw a unit: its first marker, or the first time that a game asked about it. */
export interface UnitSight {
  readonly environmentId: EnvironmentId
  readonly unitType: UnitType
  readonly distinctId: string
  /** Epoch milliseconds. */
  readonly firstSeenAt: number
}

/**
 * Whether a unit is a new user of an experiment: the server first saw it after the experiment began, and at most a day before
 * `now`. What the client says of itself does not count, since a client may be wrong or lie. A day is long enough for markers and
 * questions of a first session to arrive in any order. All instants are epoch milliseconds.
 */
export const isNewUser = (firstSeenAt: number, startsAt: number, now: number): boolean =>
  firstSeenAt >= startsAt && now - firstSeenAt <= dayMillis
