import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { AuditRecord } from "../../../schema/operations/Audit.ts"
import { AuditLog } from "../../services/operations/AuditLog.ts"
import { pageAnswer } from "../ListAnswer.ts"

const answer = pageAnswer(AuditRecord)

export const AuditHttp = HttpApiBuilder.group(Api, "audit", (handlers) =>
  Effect.map(AuditLog, (log) =>
    handlers
      .handle("list", ({ path, urlParams }) => answer(log.list(path.organizationId, urlParams)))
      .handle("verify", ({ path }) => log.verify(path.organizationId))
  )
)
