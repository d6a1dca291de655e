import { keepPreviousData, skipToken, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { dayMillis } from "../../domain/Durations.ts"
import { call } from "../api/client.ts"
import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { place } from "../api/queries.ts"
import type { HeatmapBody, HeatmapQuestion } from "./HeatmapQuestion.ts"

/** A map of the game's world. */
export type GameMap = Answer<"heatmaps.get">

const pageSize = 100

export const mapsKey = (applicationId: number) => ["heatmaps", applicationId] as const

/** The maps of the project, page after page. */
export const useMaps = (applicationId: number) =>
  useInfiniteQuery({
    queryKey: [...mapsKey(applicationId), "list"],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      call("heatmaps.list", { path: { applicationId }, query: { limit: pageSize, cursor: pageParam }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor
  })

/** A map; nothing is asked while there is no id. */
export const useMap = (applicationId: number, heatmapId: string) =>
  useQuery<GameMap>({
    queryKey: [...mapsKey(applicationId), heatmapId],
    queryFn:
      heatmapId === ""
        ? skipToken
        : ({ signal }) => call("heatmaps.get", { path: { applicationId, heatmapId }, signal })
  })

/** What is asked about a map. */
export interface HeatmapAsked {
  /** What tells a side of a comparison from the other one; empty where nothing is compared. */
  readonly name: string
  readonly question: HeatmapQuestion
  readonly body: HeatmapBody
}

/** An answer stays on the screen until the next one is there, with what was asked for it. */
export const useHeatmap = (where: Where, asked: HeatmapAsked | null) =>
  useQuery({
    queryKey: ["heatmap", where, asked?.name, asked?.body],
    placeholderData: keepPreviousData,
    queryFn:
      asked === null
        ? skipToken
        : async ({ signal }) => ({
            ...asked,
            answer: await call("queries.heatmaps", { ...place(where), body: asked.body, signal })
          })
  })

/** The image's address on this server, whatever address the server gives itself; null where the map has none. */
export const imageOf = ({ imageUrl }: Pick<GameMap, "imageUrl">): string | null => {
  if (imageUrl === null) return null
  const { pathname, search } = new URL(imageUrl)
  return pathname + search
}

/** Milliseconds in which a marker with a position is looked for. */
const lookedBack = 30 * dayMillis

/** The type that has a position most often among the newest markers; null where none has one. It is asked for where no type is chosen. */
export const usePlacedMarker = (where: Where, isWanted: boolean) =>
  useQuery({
    queryKey: ["placed-marker", where],
    enabled: isWanted,
    queryFn: async ({ signal }): Promise<string | null> => {
      const now = Date.now()
      const { items } = await call("markers.raw", {
        ...place(where),
        body: { from: new Date(now - lookedBack).toISOString(), to: new Date(now).toISOString(), limit: 1000 },
        signal
      })
      const counts = new Map<string, number>()
      for (const { type, position } of items) if (position !== null) counts.set(type, (counts.get(type) ?? 0) + 1)
      return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null
    }
  })
