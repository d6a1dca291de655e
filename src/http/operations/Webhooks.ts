import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { WebhookLog } from "../../services/operations/WebhookLog.ts"
import { Webhooks } from "../../services/operations/Webhooks.ts"

export const WebhooksHttp = HttpApiBuilder.group(Api, "webhooks", (handlers) =>
  Effect.map(Effect.all([Webhooks, WebhookLog]), ([webhooks, log]) =>
    handlers
      .handle("list", ({ path }) => webhooks.list(path.organizationId))
      .handle("create", ({ path, payload }) => webhooks.create(path.organizationId, payload))
      .handle("get", ({ path }) => webhooks.get(path.organizationId, path.webhookId))
      .handle("update", ({ path, payload }) => webhooks.update(path.organizationId, path.webhookId, payload))
      .handle("rotate", ({ path, payload }) => webhooks.rotate(path.organizationId, path.webhookId, payload))
      .handle("test", ({ path }) => log.test(path.organizationId, path.webhookId))
      .handle("remove", ({ path }) => webhooks.remove(path.organizationId, path.webhookId))
      .handle("deliveries", ({ path, urlParams }) => log.list(path.organizationId, path.webhookId, urlParams))
      .handle("delivery", ({ path }) => log.get(path.organizationId, path.webhookId, path.deliveryId))
      .handle("replay", ({ path }) => log.replay(path.organizationId, path.webhookId, path.deliveryId))
  )
)
