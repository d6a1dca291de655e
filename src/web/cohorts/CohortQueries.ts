import {
  keepPreviousData,
  skipToken,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient
} from "@tanstack/react-query"
import type { BodyOf } from "../api/Endpoints.ts"
import { useFollow } from "../api/Follow.ts"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { place } from "../api/queries.ts"
import type { Answer } from "../api/Wire.ts"
import type { Definition } from "./Rules.ts"

export type Cohort = Answer<"cohorts.get">
export type Use = Answer<"cohorts.usages">[number]
export type Usage = Answer<"cohorts.usage">

/** Under which keys cohorts are asked about. */
const cohortKeys = ["cohorts", "cohort", "cohort usage", "cohort usages", "cohort members"]

const at = (where: Where, cohortId: number) => ({
  ...place(where),
  path: { applicationId: where.applicationId, cohortId }
})

export const useCohort = (where: Where, cohortId: number) =>
  useQuery({
    queryKey: ["cohort", where, cohortId],
    queryFn: ({ signal }) => call("cohorts.get", { ...at(where, cohortId), signal }),
    refetchInterval: ({ state }) => (state.data?.status === "computing" ? 1000 : false)
  })

/** Who uses a cohort, and its sizes; `computedAt` makes it asked again when the members have changed. */
export const useUsage = (where: Where, cohortId: number, computedAt: string | null) =>
  useQuery({
    queryKey: ["cohort usage", where, cohortId, computedAt],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call("cohorts.usage", { ...at(where, cohortId), signal })
  })

/** What uses each cohort of the environment, and its sizes of 90 days. */
export const useUsages = (where: Where) =>
  useQuery({
    queryKey: ["cohort usages", where],
    queryFn: ({ signal }) => call("cohorts.usages", { ...place(where), signal })
  })

/** Follows what becomes of cohorts while the component is shown. */
export const useCohortChanges = (where: Where) => useFollow(where, "cohort", cohortKeys)

const pageOfMembers = 100

/** Members of a cohort, now or at an instant. */
export const useMembers = (where: Where, cohortId: number, computedAt: string | null, instant: string | undefined) =>
  useInfiniteQuery({
    queryKey: ["cohort members", where, cohortId, computedAt, instant],
    placeholderData: keepPreviousData,
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      call("cohorts.members", {
        ...at(where, cohortId),
        query: { limit: pageOfMembers, cursor: pageParam, at: instant },
        signal
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor
  })

export const useMembership = (where: Where, cohortId: number, userId: string) =>
  useQuery({
    queryKey: ["cohort membership", where, cohortId, userId],
    queryFn:
      userId === ""
        ? skipToken
        : ({ signal }) => call("cohorts.membership", { ...at(where, cohortId), query: { userId }, signal })
  })

/** Players that the editor shows of who would belong. */
const sampled = 5

/** How many players would belong now, and some of them; null asks nothing. */
export const usePreview = (where: Where, definition: Definition | null) =>
  useQuery<Answer<"cohorts.execute">>({
    queryKey: ["cohort preview", where, definition],
    placeholderData: keepPreviousData,
    queryFn:
      definition === null
        ? skipToken
        : ({ signal }) => call("cohorts.execute", { ...place(where), body: { definition, limit: sampled }, signal })
  })

export const useExperiments = (where: Where, isWanted: boolean) =>
  useQuery({
    queryKey: ["experiments", where],
    queryFn: isWanted ? ({ signal }) => call("experiments.list", { ...place(where), signal }) : skipToken
  })

/** Writes of cohorts; what the pages show of them is asked again afterwards. */
export const useCohortWrites = (where: Where) => {
  const client = useQueryClient()
  const forget = () => Promise.all(cohortKeys.map((key) => client.invalidateQueries({ queryKey: [key] })))
  const create = useMutation({
    mutationFn: (body: BodyOf<"cohorts.create">) => call("cohorts.create", { ...place(where), body }),
    onSuccess: forget
  })
  const update = useMutation({
    mutationFn: ({ id, body }: { readonly id: number; readonly body: BodyOf<"cohorts.update"> }) =>
      call("cohorts.update", { ...at(where, id), body }),
    onSuccess: forget
  })
  const remove = useMutation({
    mutationFn: (id: number) => call("cohorts.remove", at(where, id)),
    onSuccess: (_, id) => {
      client.removeQueries({ queryKey: ["cohort", where, id] })
      return client.invalidateQueries({ queryKey: ["cohorts"] })
    }
  })
  return { create, update, remove } as const
}
