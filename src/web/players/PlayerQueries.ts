import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query"
import type { Answer } from "../api/Wire.ts"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"

export type PlayerRecord = Answer<"players.get">
export type Marker = Answer<"markers.raw">["items"][number]

const place = ({ applicationId, environmentId }: Where) => ({ path: { applicationId }, environment: environmentId })

const playersAtOnce = 100
const markersAtOnce = 100

/** Milliseconds after which the list of players is asked for again. */
const refreshEvery = 60_000

export const usePlayers = (
  where: Where,
  query: Readonly<Record<string, string | number | ReadonlyArray<string> | undefined>>
) =>
  useInfiniteQuery({
    queryKey: ["players", where, query],
    initialPageParam: "",
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      call("players.list", { ...place(where), query: { ...query, limit: playersAtOnce, cursor: pageParam }, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: refreshEvery
  })

export const useCohorts = (where: Where) =>
  useQuery({ queryKey: ["cohorts", where], queryFn: ({ signal }) => call("cohorts.list", { ...place(where), signal }) })

export const useExperiments = (where: Where, isWanted: boolean) =>
  useQuery({
    queryKey: ["experiments", where],
    enabled: isWanted,
    queryFn: ({ signal }) => call("experiments.list", { ...place(where), signal })
  })

const pathOf = ({ applicationId, environmentId }: Where, unitId: string) => ({
  path: { applicationId, unitId },
  environment: environmentId
})

export const usePlayer = (where: Where, unitId: string) =>
  useQuery({
    queryKey: ["player", where, unitId],
    queryFn: ({ signal }) => call("players.get", { ...pathOf(where, unitId), signal })
  })

/** Instants (epoch ms) between which a player's markers lie. */
export interface PlayerSpan {
  readonly from: number
  readonly to: number
}

const spanBody = ({ from, to }: PlayerSpan) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() })

/** A player's markers, newest first, page by page; of one type, or of all for "". */
export const useTimeline = (where: Where, unitId: string, type: string, span: PlayerSpan) =>
  useInfiniteQuery({
    queryKey: ["timeline", where, unitId, type, span],
    initialPageParam: "",
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      call("markers.raw", {
        ...place(where),
        body: {
          ...spanBody(span),
          unitId,
          limit: markersAtOnce,
          ...(type === "" ? {} : { types: [type] as const }),
          ...(pageParam === "" ? {} : { cursor: pageParam })
        },
        signal
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor
  })

/** The newest markers of a player that one answer holds. */
export const mostRecent = 1000

export const useRecentMarkers = (where: Where, unitId: string, span: PlayerSpan) =>
  useQuery({
    queryKey: ["recent", where, unitId, span],
    queryFn: ({ signal }) =>
      call("markers.raw", { ...place(where), body: { ...spanBody(span), unitId, limit: mostRecent }, signal })
  })
