import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { browserNameOf } from "../../domain/access/BrowserName.ts"
import { PasswordMails } from "../../services/access/passwords/PasswordMails.ts"
import { PasswordResets } from "../../services/access/passwords/PasswordResets.ts"
import { addressOf } from "../middleware/RateLimit.ts"

export const PasswordResetsHttp = HttpApiBuilder.group(Api, "passwordResets", (handlers) =>
  Effect.map(Effect.all([PasswordResets, PasswordMails]), ([resets, mails]) =>
    handlers
      .handle("create", ({ path }) => resets.create(path.organizationId, path.membershipId))
      .handle("use", ({ payload, request }) =>
        resets.use(payload, {
          address: addressOf(request, resets.trustProxy),
          browser: browserNameOf(request.headers["user-agent"])
        })
      )
      .handle("ways", () => Effect.succeed(mails.ways))
      .handle("request", ({ payload }) => mails.request(payload.email))
  )
)
