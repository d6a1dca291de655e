import { SqlClient, SqlSchema, type Statement } from "@effect/sql"
import { Effect, Layer, Option, Schema } from "effect"
import { OrganizationId } from "../../../domain/Ids.ts"
import { AuditContent, chainedText, noChain } from "../../../domain/operations/audit/AuditEntry.ts"
import { type AuditFilter, AuditRepo } from "../../../ports/operations/AuditRepo.ts"
import { nextTurn } from "../../../ports/operations/NextTurn.ts"
import { LongReads } from "../LongReads.ts"
import { inPortionsOfText } from "../RowsInTurns.ts"

const portion = 1000

const contentText = Schema.parseJson(AuditContent)
const encode = Schema.encodeSync(contentText)
const decode = Schema.decodeSync(contentText)

const EntryRow = Schema.Struct({
  organizationId: OrganizationId,
  number: Schema.Int,
  content: Schema.String,
  previous: Schema.String,
  hash: Schema.String
})

const ChainRow = Schema.Struct({
  last: Schema.Int,
  lastHash: Schema.String,
  first: Schema.Int,
  anchor: Schema.String
})

const BegunRow = Schema.Struct({ id: Schema.String, organizationId: OrganizationId, content: contentText })

/** Whether an index finds the entries, so that not all others are looked through. */
const isIndexed = ({ userId, operation, kind, objectId, applicationId, from, to }: AuditFilter): boolean =>
  [operation, applicationId, from, to].every((each) => each === null) &&
  (kind === null) === (objectId === null) &&
  (kind === null || userId === null)

const entryOf = ({ content: text, ...row }: typeof EntryRow.Type) => ({ ...row, text, content: decode(text) })

const entriesOf = (rows: ReadonlyArray<typeof EntryRow.Type>) =>
  inPortionsOfText(rows, (portion) => Effect.sync(() => portion.map(entryOf)))

export const AuditRepoSql = Layer.effect(
  AuditRepo,
  Effect.map(Effect.all([SqlClient.SqlClient, LongReads]), ([sql, long]) => {
    const entries = (where: Statement.Fragment, client = sql) =>
      SqlSchema.findAll({
        Request: Schema.Void,
        Result: EntryRow,
        execute: () => client`select organization_id, number, content, previous, hash from audit_entries where ${where}`
      })(undefined)
    const numbers = (where: Statement.Fragment) =>
      SqlSchema.findAll({
        Request: Schema.Void,
        Result: EntryRow.pick("number", "hash"),
        execute: () => sql`select number, hash from audit_entries where ${where}`
      })(undefined)
    const chainRow = SqlSchema.findOne({
      Request: OrganizationId,
      Result: ChainRow,
      execute: (id) => sql`select last, last_hash, first, anchor from audit_chains where organization_id = ${id}`
    })
    const begun = SqlSchema.findAll({
      Request: Schema.Number,
      Result: BegunRow,
      execute: (before) =>
        sql`select id, organization_id, content from audit_begun where at < ${before} order by at limit ${portion}`
    })
    const chains = SqlSchema.findAll({
      Request: Schema.Void,
      Result: Schema.Struct({ organizationId: OrganizationId, first: Schema.Int }),
      execute: () => sql`select organization_id, first from audit_chains where last >= first`
    })
    const organization = SqlSchema.findOne({
      Request: OrganizationId,
      Result: Schema.Struct({ id: OrganizationId }),
      execute: (id) => sql`select id from organizations where id = ${id}`
    })
    const forget = (id: string) => sql`delete from audit_begun where id = ${id}`
    const forgotten = SqlSchema.findOne({
      Request: Schema.String,
      Result: Schema.Struct({ id: Schema.String }),
      execute: (id) => sql`delete from audit_begun where id = ${id} returning id`
    })

    const chain = (id: OrganizationId) =>
      Effect.map(
        chainRow(id),
        Option.getOrElse(() => noChain)
      )

    const append = Effect.fnUntraced(function* (
      { id, organizationId, content }: Parameters<AuditRepo["Type"]["append"]>[0],
      hash: (text: string) => string
    ) {
      if (Option.isNone(yield* forgotten(id))) return
      if (Option.isNone(yield* organization(organizationId))) return
      const { last, lastHash, first, anchor } = yield* chain(organizationId)
      const text = encode(content)
      const number = last + 1
      const own = hash(chainedText(lastHash, number, text))
      yield* sql`insert into audit_entries ${sql.insert({
        organizationId,
        number,
        at: content.at,
        userId: content.actor.userId,
        operation: content.operation,
        kind: content.object.kind,
        objectId: content.object.id,
        applicationId: content.applicationId,
        content: text,
        previous: lastHash,
        hash: own
      })}`
      yield* sql`insert into audit_chains ${sql.insert({ organizationId, last: number, lastHash: own, first, anchor })}
        on conflict (organization_id) do update set last = excluded.last, last_hash = excluded.last_hash`
    })

    /** Reads no content: nearly always all entries stay, and each organization is asked for some again and again. */
    const expireOf = Effect.fnUntraced(function* (organizationId: OrganizationId, first: number, before: number) {
      const [oldest] = yield* numbers(
        sql`organization_id = ${organizationId} and number >= ${first} order by number limit 1`
      )
      if (oldest === undefined) return
      const own = sql`organization_id = ${organizationId} and number >= ${oldest.number}
        and number < ${oldest.number + portion}`
      const [kept] = yield* numbers(sql`${own} and at >= ${before} order by number limit 1`)
      const gone = kept === undefined ? own : sql`${own} and number < ${kept.number}`
      const [last] = yield* numbers(sql`${gone} order by number desc limit 1`)
      if (last === undefined) return
      yield* sql`delete from audit_entries where organization_id = ${organizationId} and number <= ${last.number}`
      yield* sql`update audit_chains set ${sql.update({ first: last.number + 1, anchor: last.hash })}
        where organization_id = ${organizationId}`
    })

    return AuditRepo.of({
      begin: ({ id, organizationId, content }) =>
        Effect.asVoid(
          Effect.orDie(
            sql`insert into audit_begun ${sql.insert({ id, organizationId, at: content.at, content: encode(content) })}`
          )
        ),
      discard: (id) => Effect.asVoid(Effect.orDie(forget(id))),
      append: (change, hash) => Effect.orDie(sql.withTransaction(append(change, hash))),
      unfinished: (before) => Effect.orDie(begun(before)),
      list: (organizationId, filter, below, limit) => {
        const wanted = [
          sql`organization_id = ${organizationId}`,
          ...(below === null ? [] : [sql`number < ${below}`]),
          ...(filter.userId === null ? [] : [sql`user_id = ${filter.userId}`]),
          ...(filter.operation === null ? [] : [sql`operation = ${filter.operation}`]),
          ...(filter.kind === null ? [] : [sql`kind = ${filter.kind}`]),
          ...(filter.objectId === null ? [] : [sql`object_id = ${filter.objectId}`]),
          ...(filter.applicationId === null ? [] : [sql`application_id = ${filter.applicationId}`]),
          ...(filter.from === null ? [] : [sql`at >= ${filter.from}`]),
          ...(filter.to === null ? [] : [sql`at < ${filter.to}`])
        ]
        const found = entries(
          sql`${sql.and(wanted)} order by number desc limit ${limit}`,
          isIndexed(filter) ? sql : long
        )
        return Effect.flatMap(Effect.orDie(found), entriesOf)
      },
      from: (organizationId, number, limit) => {
        const found = entries(
          sql`organization_id = ${organizationId} and number >= ${number} order by number limit ${limit}`
        )
        return Effect.flatMap(Effect.orDie(found), entriesOf)
      },
      chain: (id) => Effect.orDie(chain(id)),
      expire: (before) =>
        Effect.orDie(
          Effect.flatMap(chains(), (all) =>
            Effect.forEach(
              all,
              ({ organizationId, first }) =>
                Effect.zipLeft(sql.withTransaction(expireOf(organizationId, first, before)), nextTurn),
              { discard: true }
            )
          )
        )
    })
  })
)
