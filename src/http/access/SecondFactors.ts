import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { SecondFactors } from "../../services/access/SecondFactors.ts"
import { sessionCookie } from "../middleware/SessionCookie.ts"

export const SecondFactorsHttp = HttpApiBuilder.group(Api, "secondFactors", (handlers) =>
  Effect.map(SecondFactors, (factors) =>
    handlers
      .handle("state", () => factors.state)
      .handle("setUp", ({ payload, request }) => factors.setUp(payload, sessionCookie(request)))
      .handle("confirm", ({ payload, request }) => factors.confirm(payload, sessionCookie(request)))
      .handle("newRecoveryCodes", ({ payload, request }) => factors.newRecoveryCodes(payload, sessionCookie(request)))
      .handle("remove", ({ payload, request }) => factors.remove(payload, sessionCookie(request)))
      .handle("removeOfMember", ({ path }) => factors.removeOfMember(path.organizationId, path.membershipId))
  )
)
