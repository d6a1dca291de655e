import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query"
import type { BodyOf } from "../../api/Endpoints.ts"
import { call } from "../../api/client.ts"
import type { Where } from "../../api/queries.ts"
import { place } from "../../api/queries.ts"
import type { Answer } from "../../api/Wire.ts"

/** What metrics are now; a question that is not finished asks nothing. */
export const useEstimate = (where: Where, body: BodyOf<"experiments.estimate"> | null) =>
  useQuery<Answer<"experiments.estimate">>({
    queryKey: ["experiment estimate", where, body],
    placeholderData: keepPreviousData,
    queryFn: body === null ? skipToken : ({ signal }) => call("experiments.estimate", { ...place(where), body, signal })
  })

export const useContextProperties = (where: Where) =>
  useQuery({
    queryKey: ["context properties", where],
    queryFn: ({ signal }) => call("experiments.contextProperties", { ...place(where), signal })
  })

/** As many as one page of the list may hold. */
const mostQuestions = 1000

/** Saved questions that can be a metric. */
export const useGoalQuestions = (where: Where, isWanted: boolean) =>
  useQuery({
    queryKey: ["goal questions", where.applicationId],
    queryFn: isWanted
      ? async ({ signal }) => {
          const path = { applicationId: where.applicationId }
          const [funnels, retentions] = await Promise.all([
            call("savedQueries.list", { path, query: { type: "funnel", limit: mostQuestions }, signal }),
            call("savedQueries.list", { path, query: { type: "retention", limit: mostQuestions }, signal })
          ])
          return [...funnels.items, ...retentions.items].map(({ id, name }) => ({ id, name }))
        }
      : skipToken
  })
