import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient
} from "@tanstack/react-query"
import { useEffect } from "react"
import { call } from "./client.ts"
import { toldInToast } from "./Failure.ts"
import { useSaving } from "./useSaving.ts"
import type { Answer } from "./Wire.ts"

type Saved = Answer<"savedQueries.get">

/** What the list of saved questions is narrowed to. */
export interface Selection {
  readonly search: string
  readonly type: Saved["queryType"] | null
  readonly createdBy: string | null
  readonly isStarred: boolean
}

export const savedQueryQuery = (applicationId: number, queryId: string) =>
  queryOptions({
    queryKey: ["saved", applicationId, "one", queryId],
    queryFn: ({ signal }) => call("savedQueries.get", { path: { applicationId, queryId }, signal })
  })

/** The saved question; nothing is asked where there is no id. */
export const useSavedQuery = (applicationId: number, queryId: string | null) =>
  useQuery({ ...savedQueryQuery(applicationId, queryId ?? ""), enabled: queryId !== null })

const atATime = 100

export const useSavedQueries = (applicationId: number, { search, type, createdBy, isStarred }: Selection) =>
  useInfiniteQuery({
    queryKey: ["saved", applicationId, "list", search, type, createdBy, isStarred],
    initialPageParam: "",
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      call("savedQueries.list", {
        path: { applicationId },
        query: {
          limit: atATime,
          cursor: pageParam,
          search,
          type: type ?? undefined,
          createdBy: createdBy ?? undefined,
          starred: isStarred ? "true" : undefined
        },
        signal
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor
  })

/** All saved questions, of one type or of every: pages after the first are asked for one after the other. Undefined before there is one. */
export const useAllSavedQueries = (applicationId: number, type: Selection["type"]) => {
  const all = { search: "", type, createdBy: null, isStarred: false }
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useSavedQueries(applicationId, all)
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  return data?.pages.flatMap(({ items }) => items)
}

/** Puts the answer of a write where it is read, and has lists asked again. */
const useKept = (applicationId: number) => {
  const client = useQueryClient()
  return async (saved: Saved) => {
    client.setQueryData(savedQueryQuery(applicationId, saved.id).queryKey, saved)
    await client.invalidateQueries({ queryKey: ["saved", applicationId, "list"] })
  }
}

type Body = Parameters<typeof call<"savedQueries.create">>[1]["body"]

export const useSave = (applicationId: number) =>
  useSaving({
    create: (body: Body) => call("savedQueries.create", { path: { applicationId }, body }),
    update: (queryId, body, based) =>
      call("savedQueries.update", { path: { applicationId, queryId }, body: { ...body, ...based } }),
    onSaved: useKept(applicationId)
  })

export const useRemoveSaved = (applicationId: number) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (queryId: string) => call("savedQueries.remove", { path: { applicationId, queryId } }),
    onSuccess: () =>
      client.invalidateQueries({ predicate: ({ queryKey: [first] }) => first === "saved" || first === "boards" })
  })
}

/** The star is drawn at once; where the server refuses it, the lists are read again. */
export const useStar = (applicationId: number) => {
  const client = useQueryClient()
  return useMutation({
    meta: toldInToast,
    mutationFn: ({ queryId, isSet }: { readonly queryId: string; readonly isSet: boolean }) =>
      call(isSet ? "queryStars.set" : "queryStars.remove", { path: { applicationId, queryId } }),
    onSettled: () => client.invalidateQueries({ queryKey: ["saved", applicationId] })
  })
}
