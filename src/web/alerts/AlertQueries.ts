import { skipToken, useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { call } from "../api/client.ts"
import type { BodyOf } from "../api/Endpoints.ts"
import { place, type Where } from "../api/queries.ts"
import type { Answer } from "../api/Wire.ts"

export type Alert = Answer<"alerts.get">
export type AlertWatch = Alert["watch"]
export type Incident = Answer<"alerts.incidents">["items"][number]
export type Preview = Answer<"alerts.preview">
export type AlertBody = BodyOf<"alerts.create">
export type WatchBody = AlertBody["watch"]

/** While alerts are shown they are asked for again after so many milliseconds: they are judged by themselves. */
const pause = 5000
const incidentsAtOnce = 20

const at = (where: Where, alertId: string) => ({
  ...place(where),
  path: { applicationId: where.applicationId, alertId }
})

export const useAlerts = (where: Where) =>
  useQuery({
    queryKey: ["alerts", where, "list"],
    queryFn: ({ signal }) => call("alerts.list", { ...place(where), signal }),
    refetchInterval: pause
  })

export const useAlert = (where: Where, alertId: string) =>
  useQuery({
    queryKey: ["alerts", where, "one", alertId],
    queryFn: ({ signal }) => call("alerts.get", { ...at(where, alertId), signal }),
    refetchInterval: pause
  })

export const useIncidents = (where: Where, alertId: string, state: string) =>
  useInfiniteQuery({
    queryKey: ["alerts", where, "incidents", alertId, state],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      call("alerts.incidents", {
        ...at(where, alertId),
        query: { limit: incidentsAtOnce, ...(pageParam === "" ? {} : { cursor: pageParam }) },
        signal
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined
  })

/** What an alert would have found; null asks nothing. */
export const usePreview = (where: Where, body: BodyOf<"alerts.preview"> | null) =>
  useQuery({
    queryKey: ["alerts", where, "preview", body],
    queryFn: body === null ? skipToken : ({ signal }) => call("alerts.preview", { ...place(where), body, signal }),
    retry: false
  })

/** A change after which everything about alerts is asked again. */
export const useAlertChange = <Input, Output>(
  change: (input: Input) => Promise<Output>,
  then?: (made: Output) => void
) => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: ["alerts"] })
      then?.(made)
    }
  })
}

export const createAlert = (where: Where, body: AlertBody) => call("alerts.create", { ...place(where), body })
export const updateAlert = (where: Where, alertId: string, body: BodyOf<"alerts.update">) =>
  call("alerts.update", { ...at(where, alertId), body })
export const removeAlert = (where: Where, alertId: string) => call("alerts.remove", at(where, alertId))
export const muteAlert = (where: Where, alertId: string, until: string | null) =>
  call("alerts.mute", { ...at(where, alertId), body: { until } })
export const acknowledgeAlert = (where: Where, alertId: string, note: string) =>
  call("alerts.acknowledge", { ...at(where, alertId), body: note === "" ? {} : { note } })
