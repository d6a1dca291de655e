import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Invitations } from "../../services/access/Invitations.ts"

export const InvitationsHttp = HttpApiBuilder.group(Api, "invitations", (handlers) =>
  Effect.map(Invitations, (invitations) =>
    handlers
      .handle("list", ({ path, urlParams }) => invitations.list(path.organizationId, urlParams))
      .handle("create", ({ path, payload }) => invitations.create(path.organizationId, payload))
      .handle("revoke", ({ path }) => invitations.revoke(path.organizationId, path.invitationId))
      .handle("accept", ({ path }) => invitations.accept(path.token))
  )
)
