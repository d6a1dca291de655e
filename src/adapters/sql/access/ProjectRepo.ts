import { SqlSchema, type Statement } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { ApplicationId, EnvironmentId, OrganizationId, UserId } from "../../../domain/Ids.ts"
import { ProjectRepo } from "../../../ports/access/ProjectRepo.ts"
import { Instant, JsonText, tableOf } from "../Rows.ts"
import { WithoutForeignKeys } from "../WithoutForeignKeys.ts"

const NewApplication = Schema.Struct({
  organizationId: OrganizationId,
  name: Schema.String,
  sdkId: Schema.Int,
  color: Schema.NullOr(Schema.String),
  thumbnailUrl: Schema.NullOr(Schema.String),
  timezone: Schema.String,
  createdAt: Instant,
  createdBy: UserId
})
const Application = Schema.Struct({ id: ApplicationId, ...NewApplication.fields })

const NewEnvironment = Schema.Struct({
  applicationId: ApplicationId,
  name: Schema.String,
  alias: Schema.String,
  createdAt: Instant
})
const Environment = Schema.Struct({
  id: EnvironmentId,
  ...NewEnvironment.fields,
  retentionDays: Schema.NullOr(Schema.Int),
  markerRetentionDays: JsonText(Schema.Record({ key: Schema.String, value: Schema.Int }))
})

export const ProjectRepoSql = Layer.effect(
  ProjectRepo,
  Effect.gen(function* () {
    const { sql, ...applications } = yield* tableOf("applications", Application, NewApplication)
    const environments = yield* tableOf("environments", Environment, NewEnvironment)
    const removed = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Environment.pick("id"),
      execute: () => sql`select id from removed_environments order by id`
    })
    const unenforced = yield* WithoutForeignKeys
    /** Says of environments that are about to be deleted that they were removed. */
    const buried = (where: Statement.Fragment) =>
      sql`insert into removed_environments (id) select id from environments where ${where} on conflict do nothing`
    const hide = (...deletions: ReadonlyArray<Statement.Statement<object>>) =>
      Effect.orDie(unenforced(Effect.all(deletions, { discard: true })))
    return ProjectRepo.of({
      insert: applications.insert,
      update: applications.update,
      remove: (id) =>
        hide(
          sql`delete from grants where application_id = ${id}`,
          buried(sql`application_id = ${id}`),
          sql`delete from environments where application_id = ${id}`,
          sql`delete from applications where id = ${id}`
        ),
      find: (id) => applications.findWhere(sql`id = ${id}`),
      list: (organizationId) => applications.listWhere(sql`organization_id = ${organizationId}`),
      insertEnvironment: environments.insertUnlessTaken("applicationId", "alias"),
      updateEnvironment: environments.updateUnlessTaken,
      removeEnvironment: (id) => hide(buried(sql`id = ${id}`), sql`delete from environments where id = ${id}`),
      findEnvironment: (id) => environments.findWhere(sql`id = ${id}`),
      everyEnvironment: environments.listWhere(sql`true`),
      removedEnvironments: Effect.map(Effect.orDie(removed(undefined)), (rows) => rows.map(({ id }) => id)),
      environments: (applicationId) => environments.listWhere(sql`application_id = ${applicationId}`)
    })
  })
)
