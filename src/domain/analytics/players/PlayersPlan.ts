import type { CohortPlan } from "../../cohorts/CohortPlan.ts"
import type { Values } from "../markers/Event.ts"

export type PlayersSort = "lastSeen" | "firstSeen" | "markerCount" | "unitId"
export type SortDirection = "ascending" | "descending"

/** What players are ordered by: a list goes on after such a place. Instants are epoch ms. */
export interface PlayerPlace {
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly markerCount: number
  readonly unitId: string
}

/** Lists the units that have a marker, in an order in which no two are equal. */
export interface PlayersPlan {
  /** How the id begins, case as stored; "" for every id. */
  readonly prefix: string
  /** Whom the list is about; a group without conditions: everybody. */
  readonly who: CohortPlan
  /** The properties whose latest value is shown. */
  readonly properties: ReadonlyArray<string>
  readonly sort: PlayersSort
  readonly direction: SortDirection
  readonly limit: number
  readonly after: PlayerPlace | null
}

export interface ListedPlayer extends PlayerPlace {
  /** The latest value of each of the plan's properties that the unit has, by name in UTF-16 order. */
  readonly profile: Values
}

export interface PlayersAnswer {
  readonly items: ReadonlyArray<ListedPlayer>
  /** Whether more players follow the last item. */
  readonly hasMore: boolean
}
