import { DateTime, Effect, Layer, Schema } from "effect"
import { KeyType } from "../../../domain/access/ApiKey.ts"
import { StoredPermissions } from "./StoredPermissions.ts"
import { ApiKeyId, ApplicationId, EnvironmentId, OrganizationId, UserId } from "../../../domain/Ids.ts"
import { CredentialRepo } from "../../../ports/access/CredentialRepo.ts"
import { PersonColumn } from "../PersonColumn.ts"
import { Flag, Instant, JsonText, tableOf } from "../Rows.ts"
import { guarded } from "../sums/RowGuard.ts"
import { credentials } from "../sums/SummedTables.ts"

const NewRow = Schema.Struct({
  organizationId: OrganizationId,
  type: KeyType,
  userId: Schema.NullOr(UserId),
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  allProjects: Flag,
  applicationIds: JsonText(Schema.Array(ApplicationId)),
  environmentIds: JsonText(Schema.Array(EnvironmentId)),
  permissions: StoredPermissions,
  keyPrefix: Schema.String,
  lastFour: Schema.String,
  secretHash: Schema.String,
  previousSecretHash: Schema.NullOr(Schema.String),
  previousValidUntil: Schema.NullOr(Instant),
  expiresAt: Schema.NullOr(Instant),
  lastUsedAt: Schema.NullOr(Instant),
  createdAt: Instant,
  createdBy: PersonColumn,
  deactivatedAt: Schema.NullOr(Instant)
})
const Row = Schema.Struct({ id: ApiKeyId, ...NewRow.fields })

export const CredentialRepoSql = Layer.effect(
  CredentialRepo,
  Effect.map(
    Effect.flatMap(guarded, (passes) => tableOf("credentials", Row, NewRow, passes(credentials))),
    ({ sql, ...keys }) =>
      CredentialRepo.of({
        insert: keys.insert,
        update: keys.update,
        touch: (id, lastUsedAt) =>
          Effect.asVoid(
            Effect.orDie(sql`update credentials set last_used_at = ${DateTime.formatIso(lastUsedAt)} where id = ${id}`)
          ),
        find: (organizationId, id) =>
          keys.findWhere(sql`id = ${id} and organization_id = ${organizationId} and type <> 'personal'`),
        findPersonal: (userId, id) => keys.findWhere(sql`id = ${id} and user_id = ${userId} and type = 'personal'`),
        findBySecretHash: (hash) => keys.findWhere(sql`secret_hash = ${hash} or previous_secret_hash = ${hash}`),
        list: (organizationId) => keys.listWhere(sql`organization_id = ${organizationId} and type <> 'personal'`),
        listPersonal: (userId) => keys.listWhere(sql`user_id = ${userId} and type = 'personal'`),
        remove: (id) => keys.removeWhere(sql`id = ${id}`)
      })
  )
)
