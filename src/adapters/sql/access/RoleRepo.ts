import { SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { StoredPermissions } from "./StoredPermissions.ts"
import { BuiltinRole } from "../../../domain/access/Role.ts"
import { ApplicationId, GrantId, MembershipId, OrganizationId, RoleId, UserId } from "../../../domain/Ids.ts"
import { RoleRepo } from "../../../ports/access/RoleRepo.ts"
import { dialectOf } from "../Dialect.ts"
import { Instant, tableOf } from "../Rows.ts"
import { guarded } from "../sums/RowGuard.ts"
import * as summed from "../sums/SummedTables.ts"

const NewRole = Schema.Struct({
  organizationId: OrganizationId,
  builtin: Schema.NullOr(BuiltinRole),
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  permissions: StoredPermissions,
  createdAt: Instant,
  updatedAt: Instant
})
const Role = Schema.Struct({ id: RoleId, ...NewRole.fields })

const NewGrant = Schema.Struct({
  organizationId: OrganizationId,
  applicationId: Schema.NullOr(ApplicationId),
  membershipId: MembershipId,
  roleId: RoleId,
  createdAt: Instant,
  createdBy: Schema.NullOr(UserId)
})
const Grant = Schema.Struct({ id: GrantId, ...NewGrant.fields })

export const RoleRepoSql = Layer.effect(
  RoleRepo,
  Effect.gen(function* () {
    const passes = yield* guarded
    const ofGrants = passes(summed.grants)
    const { sql, ...roles } = yield* tableOf("roles", Role, NewRole, passes(summed.roles))
    const grants = yield* tableOf("grants", Grant, NewGrant, ofGrants)

    const place = dialectOf(sql).named("ifnull(application_id, 0)", "coalesce(application_id, 0)")
    const putGrant = SqlSchema.single({
      Request: NewGrant,
      Result: Grant,
      execute: (row) =>
        ofGrants.written(sql`insert into grants ${sql.insert(row)}
          on conflict (membership_id, ${place}) do update
          set role_id = excluded.role_id, created_at = excluded.created_at, created_by = excluded.created_by
          returning *`)
    })

    return RoleRepo.of({
      insert: roles.insertUnlessTaken("organizationId", "name"),
      update: roles.updateUnlessTaken,
      remove: (id) => roles.removeWhere(sql`id = ${id}`),
      find: (organizationId, id) => roles.findWhere(sql`id = ${id} and organization_id = ${organizationId}`),
      list: (organizationId) => roles.listWhere(sql`organization_id = ${organizationId}`),
      putGrant: (grant) => Effect.orDie(putGrant(grant)),
      removeGrant: (membershipId, applicationId) =>
        grants.removeWhere(
          sql`membership_id = ${membershipId} and application_id is not distinct from ${applicationId}`
        ),
      grantsOf: (membershipId) => grants.listWhere(sql`membership_id = ${membershipId}`),
      grants: (organizationId) => grants.listWhere(sql`organization_id = ${organizationId}`)
    })
  })
)
