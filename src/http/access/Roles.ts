import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { RoleRecord } from "../../../schema/access/Roles.ts"
import { Grants } from "../../services/access/Grants.ts"
import { Roles } from "../../services/access/Roles.ts"
import { listAnswer } from "../ListAnswer.ts"

const answer = listAnswer(RoleRecord)

export const RolesHttp = HttpApiBuilder.group(Api, "roles", (handlers) =>
  Effect.map(Effect.all([Roles, Grants]), ([roles, grants]) =>
    handlers
      .handle("list", ({ path }) => answer(roles.list(path.organizationId)))
      .handle("get", ({ path }) => roles.get(path.organizationId, path.roleId))
      .handle("create", ({ path, payload }) => roles.create(path.organizationId, payload))
      .handle("update", ({ path, payload }) => roles.update(path.organizationId, path.roleId, payload))
      .handle("remove", ({ path }) => roles.remove(path.organizationId, path.roleId))
      .handle("grants", ({ path }) => grants.list(path.organizationId))
      .handle("projectGrants", ({ path }) => grants.listInProject(path.organizationId, path.applicationId))
      .handle("setGrant", ({ path, payload }) => grants.put(path.organizationId, path.membershipId, payload.roleId))
      .handle("setProjectGrant", ({ path, payload }) =>
        grants.putInProject(path.organizationId, path.applicationId, path.membershipId, payload.roleId)
      )
      .handle("removeProjectGrant", ({ path }) =>
        grants.removeInProject(path.organizationId, path.applicationId, path.membershipId)
      )
  )
)
