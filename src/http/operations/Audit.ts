import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { AuditLog } from "../../services/operations/AuditLog.ts"

export const AuditHttp = HttpApiBuilder.group(Api, "audit", (handlers) =>
  Effect.map(AuditLog, (log) =>
    handlers
      .handle("list", ({ path, urlParams }) => log.list(path.organizationId, urlParams))
      .handle("verify", ({ path }) => log.verify(path.organizationId))
  )
)
