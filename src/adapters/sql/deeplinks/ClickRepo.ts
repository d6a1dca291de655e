import { SqlClient, SqlSchema } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import type { Click, Conversion } from "../../../domain/deeplinks/Click.ts"
import { slotOf } from "../../../domain/deeplinks/Click.ts"
import { ApplicationId, DeeplinkId, EnvironmentId } from "../../../domain/Ids.ts"
import { ClickRepo } from "../../../ports/deeplinks/ClickRepo.ts"
import { LongReads } from "../LongReads.ts"
import { inPortions, rowsAtOnce } from "../Portions.ts"

const origin = {
  source: Schema.NullOr(Schema.String),
  country: Schema.NullOr(Schema.String),
  device: Schema.Literal("desktop", "phone", "tablet", "console", "other")
}

const ClickRow = Schema.Struct({
  interactionId: Schema.String,
  deeplinkId: DeeplinkId,
  clickedAt: Schema.Number,
  expiresAt: Schema.Number,
  ...origin,
  visitor: Schema.String
})

const ConversionRow = Schema.Struct({
  interactionId: Schema.String,
  deeplinkId: DeeplinkId,
  environmentId: EnvironmentId,
  unitId: Schema.String,
  clickedAt: Schema.Number,
  expiresAt: Schema.Number,
  convertedAt: Schema.Number,
  ...origin
})

const TotalRow = Schema.Struct({ deeplinkId: DeeplinkId, clicks: Schema.Number, conversions: Schema.Number })

const ClickCountRow = Schema.Struct({
  slot: Schema.Number,
  ...origin,
  clicks: Schema.Number,
  uniqueClicks: Schema.Number
})

const ConversionCountRow = Schema.Struct({ slot: Schema.Number, ...origin, conversions: Schema.Number })

const UnitRow = Schema.Struct({
  environmentId: EnvironmentId,
  unitId: Schema.String,
  from: Schema.Number,
  to: Schema.Number
})

const Totals = Schema.Struct({ applicationId: ApplicationId, environmentIds: Schema.Array(EnvironmentId) })
const Slots = Schema.Struct({ deeplinkId: DeeplinkId, first: Schema.Number, end: Schema.Number })
const Of = Schema.Struct({
  deeplinkId: DeeplinkId,
  environmentIds: Schema.Array(EnvironmentId),
  from: Schema.Number,
  to: Schema.Number
})
const Place = ConversionRow.pick("convertedAt", "interactionId", "unitId", "environmentId")
const Unit = Schema.Struct({ environmentId: EnvironmentId, unitId: Schema.String })
const UnitPage = Schema.Struct({ ...Of.fields, after: Schema.NullOr(Unit), limit: Schema.Number })
const Page = Schema.Struct({ ...Of.fields, after: Schema.NullOr(Place), limit: Schema.Number })

const decodeIds = Schema.decodeUnknown(Schema.Array(Schema.Struct({ interactionId: Schema.String })))

/** Rows of removed deeplinks are hidden until they are deleted. */
const ofPresent = (sql: SqlClient.SqlClient) => sql`deeplink_id in (select id from deeplinks)`

const reads = (sql: SqlClient.SqlClient, long: SqlClient.SqlClient) => {
  const isPresent = ofPresent(sql)
  const within = (environmentIds: ReadonlyArray<number>) => sql.in("environment_id", environmentIds)
  const among = ({ deeplinkId, environmentIds, from, to }: typeof Of.Encoded) =>
    sql`deeplink_id = ${deeplinkId} and ${isPresent} and clicked_at >= ${from} and clicked_at < ${to} and ${within(environmentIds)}`
  return {
    find: SqlSchema.findOne({
      Request: Schema.String,
      Result: ClickRow,
      execute: (id) => sql`select * from deeplink_clicks where interaction_id = ${id} and ${isPresent}`
    }),
    totals: SqlSchema.findAll({
      Request: Totals,
      Result: TotalRow,
      execute: ({ applicationId, environmentIds }) => long`
        select id as deeplink_id,
          (select coalesce(sum(clicks), 0) from deeplink_slots where deeplink_id = id) as clicks,
          (select count(*) from deeplink_conversions where deeplink_id = id and ${within(environmentIds)}) as conversions
        from deeplinks where application_id = ${applicationId}`
    }),
    clickCounts: SqlSchema.findAll({
      Request: Slots,
      Result: ClickCountRow,
      execute: ({ deeplinkId, first, end }) => long`
        select slot, nullif(source, '') as source, nullif(country, '') as country, device, clicks, unique_clicks
        from deeplink_slots
        where deeplink_id = ${deeplinkId} and ${isPresent} and slot >= ${first} and slot < ${end} order by slot`
    }),
    conversionCounts: SqlSchema.findAll({
      Request: Of,
      Result: ConversionCountRow,
      execute: (of) => long`
        select clicked_at / 900000 as slot, source, country, device, count(*) as conversions
        from deeplink_conversions where ${among(of)} group by 1, 2, 3, 4 order by 1`
    }),
    convertedUsers: SqlSchema.single({
      Request: Of,
      Result: Schema.Struct({ users: Schema.Number }),
      execute: (of) => long`select count(distinct unit_id) as users from deeplink_conversions where ${among(of)}`
    }),
    convertedUnits: SqlSchema.findAll({
      Request: UnitPage,
      Result: UnitRow,
      execute: ({ after, limit, ...of }) => {
        const rest =
          after === null ? sql`true` : sql`(environment_id, unit_id) > (${after.environmentId}, ${after.unitId})`
        return long`
          select environment_id, unit_id, min(clicked_at) as "from", max(expires_at) as "to"
          from deeplink_conversions where ${among(of)} and ${rest}
          group by environment_id, unit_id order by environment_id, unit_id limit ${limit}`
      }
    }),
    ofUnit: SqlSchema.findAll({
      Request: Unit,
      Result: ConversionRow,
      execute: ({ environmentId, unitId }) => sql`
        select * from deeplink_conversions where environment_id = ${environmentId} and unit_id = ${unitId}
          and ${isPresent}
        order by converted_at, interaction_id desc`
    }),
    conversions: SqlSchema.findAll({
      Request: Page,
      Result: ConversionRow,
      execute: ({ after, limit, ...of }) => {
        const rest =
          after === null
            ? sql`true`
            : sql`(-converted_at, interaction_id, unit_id, environment_id) >
                (${-after.convertedAt}, ${after.interactionId}, ${after.unitId}, ${after.environmentId})`
        return long`select * from deeplink_conversions where ${among(of)} and ${rest}
          order by converted_at desc, interaction_id, unit_id, environment_id limit ${limit}`
      }
    })
  }
}

const writes = (sql: SqlClient.SqlClient) => {
  const record = Effect.fnUntraced(function* (click: Click) {
    const { deeplinkId, visitor, country, source, device } = click
    const known = yield* sql`select 1 from deeplinks where id = ${deeplinkId}`
    if (known.length === 0) return
    const added = yield* sql`insert into deeplink_clicks ${sql.insert({ ...click })} on conflict do nothing returning 1`
    if (added.length === 0) return
    const visits = yield* sql`insert into deeplink_visitors ${sql.insert({ deeplinkId, visitor })}
      on conflict do nothing returning 1`
    const slot = { deeplinkId, slot: slotOf(click.clickedAt), source: source ?? "", country: country ?? "", device }
    yield* sql`insert into deeplink_slots ${sql.insert({ ...slot, clicks: 1, uniqueClicks: visits.length })}
      on conflict (deeplink_id, slot, source, country, device) do update
        set clicks = deeplink_slots.clicks + 1, unique_clicks = deeplink_slots.unique_clicks + excluded.unique_clicks`
  })
  const expire = (now: number) =>
    inPortions(
      rowsAtOnce,
      Effect.map(
        sql`delete from deeplink_clicks where interaction_id in
          (select interaction_id from deeplink_clicks where expires_at < ${now} limit ${rowsAtOnce}) returning 1`,
        ({ length }) => length
      )
    )
  const convert = (conversion: Conversion) => {
    const { interactionId, unitId, environmentId, clickedAt, expiresAt, convertedAt, source, country, device } =
      conversion
    const insert = sql`insert into deeplink_conversions (deeplink_id, environment_id, interaction_id, unit_id, clicked_at,
        expires_at, converted_at, source, country, device)
      select deeplinks.id, environments.id, ${interactionId}, ${unitId}, ${clickedAt}, ${expiresAt}, ${convertedAt},
        ${source}, ${country}, ${device}
      from deeplinks, environments where deeplinks.id = ${conversion.deeplinkId} and environments.id = ${environmentId}
      on conflict do nothing returning 1`
    // Markers may arrive in any order: the earliest of them tells when the click converted.
    const advance = sql`update deeplink_conversions set converted_at = ${convertedAt}
      where interaction_id = ${interactionId} and unit_id = ${unitId} and environment_id = ${environmentId}
        and ${ofPresent(sql)} and converted_at > ${convertedAt}`
    return Effect.flatMap(insert, ({ length }) => (length > 0 ? Effect.succeed(true) : Effect.as(advance, false)))
  }
  const eraseUnit = (environmentId: EnvironmentId, unitId: string) => {
    const own = sql`environment_id = ${environmentId} and unit_id = ${unitId}`
    const some = Effect.gen(function* () {
      const found = yield* decodeIds(
        yield* sql`select interaction_id from deeplink_conversions where ${own} limit ${rowsAtOnce}`
      )
      const among = sql.in(
        "interaction_id",
        found.map(({ interactionId }) => interactionId)
      )
      yield* sql`delete from deeplink_clicks where ${among}`
      yield* sql`delete from deeplink_conversions where ${own} and ${among}`
      return found.length
    })
    return inPortions(rowsAtOnce, sql.withTransaction(some))
  }
  return { record, expire, convert, eraseUnit }
}

export const ClickRepoSql = Layer.effect(
  ClickRepo,
  Effect.map(Effect.all([SqlClient.SqlClient, LongReads]), ([sql, long]) => {
    const read = reads(sql, long)
    const write = writes(sql)
    const recordAll = (clicks: ReadonlyArray<Click>) =>
      sql.withTransaction(Effect.forEach(clicks, write.record, { discard: true }))
    return ClickRepo.of({
      record: (clicks) => Effect.orDie(recordAll(clicks)),
      find: (interactionId) => Effect.orDie(read.find(interactionId)),
      convert: (conversion) => Effect.orDie(write.convert(conversion)),
      totals: (applicationId, environmentIds) => Effect.orDie(read.totals({ applicationId, environmentIds })),
      clickCounts: (deeplinkId, first, end) => Effect.orDie(read.clickCounts({ deeplinkId, first, end })),
      conversionCounts: (of) => Effect.orDie(read.conversionCounts(of)),
      convertedUsers: (of) => Effect.map(Effect.orDie(read.convertedUsers(of)), ({ users }) => users),
      convertedUnits: (of, after, limit) => Effect.orDie(read.convertedUnits({ ...of, after, limit })),
      conversions: (of, after, limit) => Effect.orDie(read.conversions({ ...of, after, limit })),
      expire: (now) => Effect.asVoid(Effect.orDie(write.expire(now))),
      ofUnit: (environmentId, unitId) => Effect.orDie(read.ofUnit({ environmentId, unitId })),
      eraseUnit: (environmentId, unitId) => Effect.asVoid(Effect.orDie(write.eraseUnit(environmentId, unitId)))
    })
  })
)
