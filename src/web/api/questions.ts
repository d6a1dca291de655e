import { keepPreviousData, queryOptions, skipToken, useQuery } from "@tanstack/react-query"
import { call } from "./client.ts"
import type { BodyOf } from "./Endpoints.ts"
import type { Where } from "./queries.ts"
import { place } from "./queries.ts"
import type { Answer } from "./Wire.ts"

export const insightKey = (where: Where, body: BodyOf<"queries.insights"> | null) => ["insight", where, body] as const
export const funnelKey = (where: Where, body: BodyOf<"queries.funnels"> | null) => ["funnel", where, body] as const
export const retentionKey = (where: Where, body: BodyOf<"queries.retention"> | null) =>
  ["retention", where, body] as const

/** A question of insights. Each answer comes with what was asked, which the page may have changed meanwhile. */
export const insightQuery = <Asked>(where: Where, body: BodyOf<"queries.insights">, asked: Asked) =>
  queryOptions<{ readonly answer: Answer<"queries.insights">; readonly asked: Asked }>({
    queryKey: insightKey(where, body),
    queryFn: ({ signal }) =>
      call("queries.insights", { ...place(where), body, signal }).then((answer) => ({ answer, asked }))
  })

/** An answer stays on the screen until the next one is there; a question that nobody asks any more is cancelled. */
export const useInsight = <Asked>(where: Where, body: BodyOf<"queries.insights"> | null, asked: Asked) =>
  useQuery<{ readonly answer: Answer<"queries.insights">; readonly asked: Asked }>({
    ...(body === null
      ? { queryKey: insightKey(where, body), queryFn: skipToken }
      : insightQuery<Asked>(where, body, asked)),
    placeholderData: keepPreviousData
  })

/** A question of funnels, answered like one of insights. */
export const useFunnel = <Asked>(where: Where, body: BodyOf<"queries.funnels"> | null, asked: Asked) =>
  useQuery<{ readonly answer: Answer<"queries.funnels">; readonly asked: Asked }>({
    queryKey: funnelKey(where, body),
    placeholderData: keepPreviousData,
    queryFn:
      body === null
        ? skipToken
        : ({ signal }) =>
            call("queries.funnels", { ...place(where), body, signal }).then((answer) => ({ answer, asked }))
  })

/** A question of retention, answered like one of insights. */
export const useRetention = <Asked>(where: Where, body: BodyOf<"queries.retention"> | null, asked: Asked) =>
  useQuery<{ readonly answer: Answer<"queries.retention">; readonly asked: Asked }>({
    queryKey: retentionKey(where, body),
    placeholderData: keepPreviousData,
    queryFn:
      body === null
        ? skipToken
        : ({ signal }) =>
            call("queries.retention", { ...place(where), body, signal }).then((answer) => ({ answer, asked }))
  })

/** The newest markers, asked again and again while somebody looks. */
export const useNewestMarkers = (
  where: Where,
  body: (now: number) => BodyOf<"markers.raw">,
  key: ReadonlyArray<string>,
  everyMilliseconds: number | false
) =>
  useQuery<Answer<"markers.raw">>({
    queryKey: ["raw", where, ...key],
    queryFn: ({ signal }) => call("markers.raw", { ...place(where), body: body(Date.now()), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: everyMilliseconds,
    staleTime: 0
  })
