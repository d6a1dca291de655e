import { SqlSchema } from "@effect/sql"
import type { Statement } from "@effect/sql"
import { Array, DateTime, Effect, Layer, Option, Schema } from "effect"
import type { Configuration } from "../../../domain/configuration/Configuration.ts"
import { targets } from "../../../domain/configuration/Link.ts"
import { ConfigurationId, EnvironmentId } from "../../../domain/Ids.ts"
import { ConfigurationRepo } from "../../../ports/configuration/ConfigurationRepo.ts"
import { ConfigurationRow, NewRow, SizeRow, SummaryRow, WrittenRow } from "./ConfigurationRows.ts"
import { configurationVersions } from "./ConfigurationVersions.ts"
import { tableOf } from "../Rows.ts"
import { rowsInTurns } from "../RowsInTurns.ts"
import { guarded, RowGuard } from "../sums/RowGuard.ts"
import { configurations as summed } from "../sums/SummedTables.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"
import { WithoutForeignKeys } from "../WithoutForeignKeys.ts"

const writtenOf = ({ document, ...summary }: typeof WrittenRow.Type) => ({ summary, document })

export const ConfigurationRepoSql = Layer.effect(
  ConfigurationRepo,
  Effect.gen(function* () {
    const passes = (yield* guarded)(summed)
    const { sql, ...configurations } = yield* tableOf("configurations", ConfigurationRow, NewRow, passes)
    const versions = yield* configurationVersions
    const unenforced = yield* WithoutForeignKeys
    const guard = yield* RowGuard
    const sums = guard.columnsOf(summed).map((name) => `, ${name}`)
    const withoutDocument = sql.literal(`id, application_id, environment_id, name, alias, description, privacy, schema,
      key_descriptions, is_primary, hash, version, created_at, updated_at, updated_by${sums.join("")}`)
    const summaries = SqlSchema.findAll({
      Request: EnvironmentId,
      Result: SummaryRow,
      execute: (id) =>
        passes.read(sql`select ${withoutDocument} from configurations where environment_id = ${id} order by id`)
    })
    const sizes = SqlSchema.findAll({
      Request: EnvironmentId,
      Result: SizeRow,
      execute: (id) => sql`select id, octet_length(document) as bytes,
          coalesce(octet_length(schema), 4) + octet_length(privacy) + octet_length(key_descriptions) as beside_bytes,
          case when id in (select configuration_id from configuration_links) then 1 else 0 end as has_links
        from configurations where environment_id = ${id} order by id`
    })
    const listOf = <A, I>(schema: Schema.Schema<A, I>) => {
      const read = rowsInTurns(schema, passes.read)
      return (where: Statement.Fragment) => read(sql`select * from configurations where ${where} order by id`)
    }
    const listWhere = listOf(ConfigurationRow)
    const writtenWhere = listOf(WrittenRow)
    const keepLinks = Effect.fnUntraced(function* ({ id, document }: Configuration) {
      yield* sql`delete from configuration_links where configuration_id = ${id}`
      const links = targets(document).map((targetId) => ({ configurationId: id, targetId }))
      if (links.length > 0) yield* sql`insert into configuration_links ${sql.insert(links)}`
    }, Effect.orDie)
    const writtenOver = SqlSchema.single({
      Request: ConfigurationRow,
      Result: Schema.Struct({ id: ConfigurationId }),
      execute: (row) => sql`update configurations set ${sql.update({ ...row, ...guard.sumsOf(summed, row) }, ["id"])}
        where id = ${row.id} returning id`
    })
    /** Answers what it was given, so that a large document is not read again at once. */
    const update = (configuration: Configuration) =>
      writtenOver(configuration).pipe(Effect.zipRight(nextTurn), Effect.as(configuration), Effect.orDie)
    const setPrimary = Effect.fnUntraced(function* (where: Statement.Fragment, isPrimary: number) {
      for (const row of yield* passes.read(sql`select ${withoutDocument} from configurations where ${where}`)) {
        const sum = guard.sumOf(summed, { ...row, isPrimary })
        yield* sql`update configurations set ${sql.update({ isPrimary, ...sum })} where ${where}`
      }
    })
    const withLinks = (write: Effect.Effect<Configuration>) =>
      sql.withTransaction(Effect.tap(write, keepLinks)).pipe(Effect.orDie)

    return ConfigurationRepo.of({
      insert: (configuration) => withLinks(configurations.insert(configuration)),
      update: (configuration) => withLinks(update(configuration)),
      remove: (id) => Effect.orDie(unenforced(configurations.removeWhere(sql`id = ${id}`))),
      find: (environmentId, id) => configurations.findWhere(sql`environment_id = ${environmentId} and id = ${id}`),
      findWritten: (environmentId, id) =>
        Effect.map(writtenWhere(sql`environment_id = ${environmentId} and id = ${id}`), ([found]) =>
          Option.map(Option.fromNullable(found), writtenOf)
        ),
      findByNameOrAlias: (environmentId, called) =>
        configurations.findWhere(sql`environment_id = ${environmentId} and (name = ${called} or alias = ${called})`),
      primary: (environmentId) => configurations.findWhere(sql`environment_id = ${environmentId} and is_primary = 1`),
      makePrimary: Effect.fnUntraced(
        function* (environmentId, id) {
          const others = sql`environment_id = ${environmentId} and is_primary = 1 and id <> ${id}`
          yield* setPrimary(others, 0)
          yield* setPrimary(sql`environment_id = ${environmentId} and id = ${id}`, 1)
        },
        (effect) => Effect.orDie(sql.withTransaction(effect))
      ),
      list: (environmentId) => listWhere(sql`environment_id = ${environmentId}`),
      listWritten: (environmentId) =>
        Effect.map(writtenWhere(sql`environment_id = ${environmentId}`), Array.map(writtenOf)),
      summaries: (id) => Effect.orDie(summaries(id)),
      sizes: (environmentId) => Effect.orDie(sizes(environmentId)),
      linkedTo: (environmentId, id) =>
        listWhere(
          sql`environment_id = ${environmentId}
            and id in (select configuration_id from configuration_links where target_id = ${id})`
        ),
      insertVersion: (version) => Effect.orDie(versions.insert(version)),
      versions: (id, before, limit) => Effect.orDie(versions.list({ id, before, limit })),
      versionsWithin: (environmentId, { from, to }, place, limit) => {
        const first = place ?? { at: to, id: 0, version: 0 }
        return Effect.orDie(
          versions.within({
            environmentId,
            from: DateTime.unsafeMake(from),
            to: DateTime.unsafeMake(to),
            place: { ...first, at: DateTime.unsafeMake(first.at) },
            limit
          })
        )
      },
      version: (id, version) => Effect.orDie(versions.find({ id, version }))
    })
  })
)
