import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { call } from "./client.ts"
import type { BodyOf } from "./Endpoints.ts"
import type { Where } from "./queries.ts"
import type { Answer } from "./Wire.ts"

export type Board = Answer<"boards.get">
export type Tile = Board["tiles"][number]
export type BoardTime = Board["time"]

/** A project has at most 200. */
const everyBoard = 200

export const useBoards = (applicationId: number) =>
  useQuery({
    queryKey: ["boards", applicationId, "list"],
    queryFn: ({ signal }) => call("boards.list", { path: { applicationId }, query: { limit: everyBoard }, signal })
  })

export const useBoard = (applicationId: number, boardId: string) =>
  useQuery({
    queryKey: ["boards", applicationId, "one", boardId],
    queryFn: ({ signal }) => call("boards.get", { path: { applicationId, boardId }, signal })
  })

export const useCreateBoard = (applicationId: number) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<"boards.create">) => call("boards.create", { path: { applicationId }, body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["boards", applicationId] })
  })
}

export const useChangeBoard = (applicationId: number, boardId: string) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: BodyOf<"boards.update">) => call("boards.update", { path: { applicationId, boardId }, body }),
    onSuccess: (board) => {
      client.setQueryData(["boards", applicationId, "one", boardId], board)
      return client.invalidateQueries({ queryKey: ["boards", applicationId, "list"] })
    }
  })
}

export const useRemoveBoard = (applicationId: number) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (boardId: string) => call("boards.remove", { path: { applicationId, boardId } }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["boards", applicationId, "list"] })
  })
}

/** The answer of a saved question over its own time, or that of a board. */
export const useTile = (where: Where, queryId: string, time: BoardTime, everyMilliseconds: number | false) =>
  useQuery({
    queryKey: ["tile", where, queryId, time],
    placeholderData: keepPreviousData,
    refetchInterval: everyMilliseconds,
    queryFn: ({ signal }) =>
      call("savedQueries.execute", {
        path: { applicationId: where.applicationId, queryId },
        environment: where.environmentId,
        body: time === null ? {} : { time },
        signal
      })
  })
