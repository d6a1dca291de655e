import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { call } from "./client.ts"
import type { BodyOf } from "./Endpoints.ts"
import type { Where } from "./queries.ts"
import { place } from "./queries.ts"
import { useSaving } from "./useSaving.ts"
import type { Answer } from "./Wire.ts"

export type Deeplink = Answer<"deeplinks.get">
export type Conversions = Answer<"deeplinks.conversions">
export type DeeplinkBody = BodyOf<"deeplinks.create">

const linkKey = (applicationId: number) => ["deeplinks", applicationId]

/** Links are of the project; what is told of their conversions is of one environment, as on other pages. */
const listKey = (applicationId: number) => [...linkKey(applicationId), "list"]

export const useDeeplinks = (where: Where) =>
  useQuery({
    queryKey: [...listKey(where.applicationId), where.environmentId],
    queryFn: ({ signal }) => call("deeplinks.list", { ...place(where), signal })
  })

export const useDeeplink = ({ applicationId, environmentId }: Where, deeplinkId: string) =>
  useQuery({
    queryKey: [...linkKey(applicationId), "one", deeplinkId, environmentId],
    queryFn: ({ signal }) =>
      call("deeplinks.get", { path: { applicationId, deeplinkId }, environment: environmentId, signal })
  })

/** The link with the conversions of every environment. */
export const useWholeDeeplink = (applicationId: number, deeplinkId: string) =>
  useQuery({
    queryKey: [...linkKey(applicationId), "one", deeplinkId],
    queryFn: ({ signal }) => call("deeplinks.get", { path: { applicationId, deeplinkId }, signal })
  })

interface Asked {
  readonly from: string
  readonly to: string
  readonly step: string
  readonly breakdown: "source" | "country" | "device"
}

const conversionsAtOnce = 50

/** What came of a link in a range of time; the list of conversions goes on page by page. */
export const useConversions = ({ applicationId, environmentId }: Where, deeplinkId: string, asked: Asked) =>
  useInfiniteQuery({
    queryKey: [...linkKey(applicationId), "conversions", deeplinkId, environmentId, asked],
    initialPageParam: "",
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      call("deeplinks.conversions", {
        path: { applicationId, deeplinkId },
        environment: environmentId,
        query: { ...asked, limit: conversionsAtOnce, cursor: pageParam },
        signal
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor
  })

/** Has everything about links asked again. */
export const useForget = (applicationId: number) => {
  const client = useQueryClient()
  return () => client.invalidateQueries({ queryKey: linkKey(applicationId) })
}

export const useSaveDeeplink = (applicationId: number) =>
  useSaving({
    create: (body: DeeplinkBody & { readonly archived?: boolean }) =>
      call("deeplinks.create", { path: { applicationId }, body }),
    update: (deeplinkId, body, based) =>
      call("deeplinks.update", { path: { applicationId, deeplinkId }, body: { ...body, ...based } }),
    onSaved: useForget(applicationId)
  })

export const useRemoveDeeplink = (applicationId: number) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (deeplinkId: string) => call("deeplinks.remove", { path: { applicationId, deeplinkId } }),
    // The link itself stays where it is shown until its page is left.
    onSuccess: () => client.invalidateQueries({ queryKey: listKey(applicationId) })
  })
}
