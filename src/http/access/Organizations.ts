import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { OrganizationRecord } from "../../../schema/access/Organizations.ts"
import { Api } from "../../../schema/Api.ts"
import { Invitations } from "../../services/access/Invitations.ts"
import { Members } from "../../services/access/Members.ts"
import { Organizations } from "../../services/access/Organizations.ts"
import { listAnswer } from "../ListAnswer.ts"

const answer = listAnswer(OrganizationRecord)

export const OrganizationsHttp = HttpApiBuilder.group(Api, "organizations", (handlers) =>
  Effect.map(Effect.all([Organizations, Members, Invitations]), ([organizations, members, invitations]) =>
    handlers
      .handle("list", () => answer(organizations.list()))
      .handle("create", ({ payload }) => organizations.create(payload))
      .handle("get", ({ path }) => organizations.get(path.organizationId))
      .handle("update", ({ path, payload }) => organizations.update(path.organizationId, payload))
      .handle("members", ({ path, urlParams }) => members.list(path.organizationId, urlParams))
      .handle("addMember", ({ path, payload }) => invitations.create(path.organizationId, payload))
      .handle("setMemberRole", ({ path, payload }) =>
        members.setRole(path.organizationId, path.membershipId, payload.roleId)
      )
      .handle("removeMember", ({ path }) => members.remove(path.organizationId, path.membershipId))
  )
)
