import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { call } from "../../api/client.ts"
import type { Answer } from "../../api/Wire.ts"

export type Webhook = Answer<"webhooks.list">[number]
export type Delivery = Answer<"webhooks.deliveries">["items"][number]
export type DeliveryState = Delivery["state"]

/** Names of the lists that changes of webhooks make old. */
export const webhookLists = ["webhooks", "deliveries", "delivery"]

const perPage = 50

/** While something waits or fails it is asked again after so many milliseconds. */
const pause = 2000

export const useWebhooks = (organizationId: number, isAllowed: boolean) =>
  useQuery({
    queryKey: ["webhooks", organizationId],
    enabled: isAllowed,
    queryFn: ({ signal }) => call("webhooks.list", { path: { organizationId }, signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ isActive, failingSince }) => isActive && failingSince !== null) === true ? pause : false
  })

export const useDeliveries = (organizationId: number, webhookId: string, state: DeliveryState | null) =>
  useInfiniteQuery({
    queryKey: ["deliveries", organizationId, webhookId, state],
    initialPageParam: "",
    queryFn: ({ signal, pageParam }) =>
      call("webhooks.deliveries", {
        path: { organizationId, webhookId },
        query: {
          limit: perPage,
          ...(pageParam === "" ? {} : { cursor: pageParam }),
          ...(state === null ? {} : { state })
        },
        signal
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some((each) => each.state === "waiting")) === true ? pause : false
  })

export const useDelivery = (organizationId: number, webhookId: string, deliveryId: number) =>
  useQuery({
    queryKey: ["delivery", organizationId, webhookId, deliveryId],
    queryFn: ({ signal }) => call("webhooks.delivery", { path: { organizationId, webhookId, deliveryId }, signal })
  })
