import type { BodyOf } from "../api/Endpoints.ts"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"

type Users = BodyOf<"queries.insightUsers">
type Returning = BodyOf<"queries.retentionUsers">

/** A number on a chart, by the question it answers and the place it stands at. */
export type ChartNumber =
  | { readonly queryType: "insight"; readonly spec: BodyOf<"queries.insights">; readonly select: Users["select"] }
  | {
      readonly queryType: "funnel"
      readonly spec: BodyOf<"queries.funnels">
      readonly select: Pick<BodyOf<"queries.funnelUsers">, "step" | "outcome" | "breakdown" | "bin">
    }
  | {
      readonly queryType: "retention"
      readonly spec: BodyOf<"queries.retention">
      readonly select: Returning["select"]
    }
  | {
      readonly queryType: "heatmap"
      readonly spec: BodyOf<"queries.heatmaps">
      readonly select: BodyOf<"queries.heatmapUsers">["select"]
    }

export interface Player {
  readonly unitId: string
  /** Null where the question gives a player no number of its own. */
  readonly value: number | null
  readonly lastAt: string | null
}

export interface PlayerPage {
  readonly items: ReadonlyArray<Player>
  /** Null where the server does not say it. */
  readonly total: number | null
  readonly nextCursor: string | null
}

interface Paging {
  readonly limit: number
  readonly cursor: string
  readonly signal?: AbortSignal
}

const latest = (times: ReadonlyArray<string | null>): string | null =>
  times.reduce((last, time) => (last === null || (time !== null && time > last) ? time : last), null)

/** A page of the players behind a number. */
export const playersOf = async (where: Where, number: ChartNumber, paging: Paging): Promise<PlayerPage> => {
  const { limit, cursor, signal } = paging
  const request = {
    path: { applicationId: where.applicationId },
    environment: where.environmentId,
    query: { limit, cursor },
    ...(signal === undefined ? {} : { signal })
  }
  switch (number.queryType) {
    case "insight":
      return call("queries.insightUsers", { ...request, body: { ...number.spec, select: number.select } })
    case "retention":
      return call("queries.retentionUsers", { ...request, body: { ...number.spec, select: number.select } })
    case "heatmap":
      return call("queries.heatmapUsers", { ...request, body: { ...number.spec, select: number.select } })
    case "funnel": {
      const page = await call("queries.funnelUsers", { ...request, body: { ...number.spec, ...number.select } })
      const items = page.items.map(({ unitId, times }) => ({ unitId, value: null, lastAt: latest(times) }))
      return { items, total: null, nextCursor: page.nextCursor }
    }
  }
}

/** Players that one request answers at most. */
const largestPage = 1000

/** All players behind a number. */
export const allPlayers = async (where: Where, number: ChartNumber): Promise<ReadonlyArray<Player>> => {
  const found: Array<Player> = []
  for (let cursor: string | null = ""; cursor !== null;) {
    const page: PlayerPage = await playersOf(where, number, { limit: largestPage, cursor })
    for (const player of page.items) found.push(player)
    cursor = page.nextCursor
  }
  return found
}
