import { SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { ApplicationId, EnvironmentId, ExperimentGroupId, ExperimentId } from "../../../domain/Ids.ts"
import { ExperimentDraftRepo } from "../../../ports/experiments/ExperimentDraftRepo.ts"
import { PersonColumn } from "../PersonColumn.ts"
import { Instant, JsonText, tableOf } from "../Rows.ts"
import { sizeOf } from "../SizeOf.ts"

const Row = Schema.Struct({
  id: ExperimentId,
  applicationId: ApplicationId,
  environmentId: EnvironmentId,
  revision: Schema.Int,
  plan: Schema.String,
  groupIds: JsonText(Schema.Array(ExperimentGroupId)),
  createdBy: PersonColumn,
  createdAt: Instant,
  updatedAt: Instant
})

export const ExperimentDraftRepoSql = Layer.effect(
  ExperimentDraftRepo,
  Effect.map(tableOf("experiment_drafts", Row, Row), ({ sql, ...drafts }) => {
    const update = SqlSchema.findOne({
      Request: Row,
      Result: Row,
      execute: (row) => sql`update experiment_drafts
        set ${sql.update({ ...row, revision: row.revision + 1 }, ["id"])}
        where id = ${row.id} and revision = ${row.revision} returning *`
    })
    const size = sizeOf(
      EnvironmentId,
      (id) => sql`select count(*) as count, coalesce(sum(length(plan)), 0) as characters
        from experiment_drafts where environment_id = ${id}`
    )
    const that = (environmentId: EnvironmentId, id: ExperimentId) =>
      sql`id = ${id} and environment_id = ${environmentId}`
    return ExperimentDraftRepo.of({
      insert: drafts.insert,
      update: (draft) => Effect.orDie(update(draft)),
      remove: (environmentId, id) => drafts.removeWhere(that(environmentId, id)),
      find: (environmentId, id) => drafts.findWhere(that(environmentId, id)),
      list: (environmentId) => drafts.listWhere(sql`environment_id = ${environmentId}`),
      size
    })
  })
)
