import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { PasswordResets } from "../../services/access/PasswordResets.ts"

export const PasswordResetsHttp = HttpApiBuilder.group(Api, "passwordResets", (handlers) =>
  Effect.map(PasswordResets, (resets) =>
    handlers
      .handle("create", ({ path }) => resets.create(path.organizationId, path.membershipId))
      .handle("use", ({ payload }) => resets.use(payload))
  )
)
