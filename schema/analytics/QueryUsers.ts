import { Schema } from "effect"
import { example } from "../Example.ts"
import { Instant } from "../Instant.ts"
import { oneOf, withDefault } from "../Optional.ts"
import { Page } from "../Parameters.ts"
import { text } from "../Text.ts"
import { FunnelQuery, FunnelSelection } from "./Funnels.ts"
import { Bounds, deaths, heatmapFields, HeatmapQuery } from "./HeatmapQueries.ts"
import { insightFields, InsightQuery, revenuePerPayer } from "./Insights.ts"
import { ChosenBreakdown, chosenBreakdown } from "./QueryAnswer.ts"
import { backAfterTutorial, retentionFields, RetentionQuery } from "./Retention.ts"

const breakdown = withDefault(ChosenBreakdown, []).annotations({ description: chosenBreakdown })

export const InsightSelection = Schema.Struct({
  metricId: text(1, 32),
  bucket: withDefault(Schema.NullOr(Instant), null),
  breakdown
}).annotations({
  identifier: "InsightSelection",
  description:
    "One number of an insight. `bucket` is the start of a bucket, null for the aggregate. A formula counts no players: choose one of the metrics it reads"
})
export type InsightSelection = typeof InsightSelection.Type

export const RetentionSelection = Schema.Struct({
  start: Instant,
  interval: Schema.Int.pipe(Schema.between(0, 180)),
  outcome: withDefault(oneOf("returned", "left"), "returned"),
  breakdown
}).annotations({
  identifier: "RetentionSelection",
  description:
    "One number of a retention table: the start of a row and an interval of it, or interval 0 for everybody the row begins with. `left` are those of the row who did not return in the interval"
})
export type RetentionSelection = typeof RetentionSelection.Type

export const HeatmapSelection = Schema.Struct({ area: withDefault(Schema.NullOr(Bounds), null) }).annotations({
  identifier: "HeatmapSelection",
  description:
    "An area of the map, widened to the whole cells that it touches; the centre of a cell as both corners chooses that cell. null chooses every marker with a position, also outside the bounds"
})
export type HeatmapSelection = typeof HeatmapSelection.Type

export const InsightUsersQuery = Schema.Struct({ ...insightFields, select: InsightSelection })
  .annotations({ identifier: "InsightUsersQuery" })
  .pipe(
    example({ ...revenuePerPayer, select: { metricId: "payers", breakdown: [{ name: "platform", value: "ios" }] } })
  )
export type InsightUsersQuery = typeof InsightUsersQuery.Type

export const RetentionUsersQuery = Schema.Struct({ ...retentionFields, select: RetentionSelection })
  .annotations({ identifier: "RetentionUsersQuery" })
  .pipe(
    example({
      ...backAfterTutorial,
      time: { step: "week", timezone: "UTC", from: "2026-10-04T00:00:00Z", to: "2026-11-29T00:00:00Z" },
      select: { start: "2026-10-11T00:00:00Z", interval: 1, outcome: "left" }
    })
  )
export type RetentionUsersQuery = typeof RetentionUsersQuery.Type

export const HeatmapUsersQuery = Schema.Struct({ ...heatmapFields, select: HeatmapSelection })
  .annotations({ identifier: "HeatmapUsersQuery" })
  .pipe(example({ ...deaths, select: { area: { pointA: { x: 0, y: 0, z: 0 }, pointB: { x: 20, y: 50, z: 20 } } } }))
export type HeatmapUsersQuery = typeof HeatmapUsersQuery.Type

export const QueryUser = Schema.Struct({
  unitId: Schema.String,
  value: Schema.NullOr(Schema.Number),
  lastAt: Schema.DateTimeUtc
}).annotations({
  identifier: "QueryUser",
  description:
    "A player behind a number. `value` is the metric of this player alone; where players are counted, how many of the player's markers count. `lastAt` is the last of these"
})
export type QueryUser = typeof QueryUser.Type

const page = Page(QueryUser).fields

export const QueryUserPage = Schema.Struct({ ...page, total: Schema.Int }).annotations({
  identifier: "QueryUserPage",
  description: "By unitId, ascending. `total` are all players behind the number: where it counts players, the number"
})
export type QueryUserPage = typeof QueryUserPage.Type

/** A number of a question of any type, and with it the players behind it. */
export const NumberOfQuery = Schema.Union(
  Schema.Struct({ queryType: Schema.Literal("insight"), spec: InsightQuery, select: InsightSelection }),
  Schema.Struct({ queryType: Schema.Literal("funnel"), spec: FunnelQuery, select: FunnelSelection }),
  Schema.Struct({ queryType: Schema.Literal("retention"), spec: RetentionQuery, select: RetentionSelection }),
  Schema.Struct({ queryType: Schema.Literal("heatmap"), spec: HeatmapQuery, select: HeatmapSelection })
).annotations({ identifier: "NumberOfQuery", description: "One number of a query: the players behind it" })
export type NumberOfQuery = typeof NumberOfQuery.Type
