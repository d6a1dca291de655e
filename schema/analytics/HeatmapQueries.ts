import { Schema } from "effect"
import { HeatmapId } from "../../src/domain/Ids.ts"
import { filtering, GroupValue, MarkerNames } from "./Filters.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { anyCase } from "../Parameters.ts"
import { displayed, QueryMeta } from "./QueryAnswer.ts"
import { QueryTime } from "./QueryTime.ts"
import { text } from "../Text.ts"
import { example } from "../Example.ts"

const coordinate = Schema.JsonNumber.pipe(Schema.between(-1e12, 1e12))

export const Point = Schema.Struct({ x: coordinate, y: coordinate, z: coordinate }).annotations({
  identifier: "Point",
  description: "World coordinates; Y is height"
})
export type Point = typeof Point.Type

export const Bounds = Schema.Struct({ pointA: Point, pointB: Point }).annotations({
  identifier: "Bounds",
  description: "Two opposite corners of a box, inclusive"
})
export type Bounds = typeof Bounds.Type

/** What a heatmap counts, as clients and the game's editor call it, and the measures of insights, which are refused with the reason. */
const HeatmapMeasure = oneOf(
  "totalEvents",
  "marker",
  "uniqueUsers",
  "dau",
  "wau",
  "mau",
  "totalSessions",
  "frequencyPerUser",
  "frequencyPerSession",
  "firstTimeUsers",
  "sum",
  "average",
  "median",
  "min",
  "max",
  "percentile",
  "sumPerUser",
  "averagePerUser",
  "formula"
)

/** Visible metrics add up; an invisible one is left out. */
export const HeatmapMetric = Schema.Struct({
  id: text(1, 64),
  visible: withDefault(Schema.Boolean, true),
  data: Schema.Struct({ name: MarkerNames, type: HeatmapMeasure, ...filtering })
}).annotations({
  identifier: "HeatmapMetric",
  description:
    "`type` is totalEvents, or marker as the game's editor calls it: a heatmap counts markers. Other measures of insights are refused with the reason. Visible metrics add up"
})
export type HeatmapMetric = typeof HeatmapMetric.Type

export const HeatmapDisplay = oneOf("density", "count", "unique").annotations({ identifier: "HeatmapDisplay" })
export type HeatmapDisplay = typeof HeatmapDisplay.Type

/** How the points of an answer are written. */
export const HeatmapPointsForm = oneOf("rows", "columns").annotations({
  identifier: "HeatmapPointsForm",
  description:
    "`rows`, the default, is a list of points; `columns` one list each of x, y and value, a third of the bytes"
})

/** Fewest and most cells along the longer side that a question may ask for. */
export const fewestCells = 16
export const mostCells = 512

const Cells = Schema.JsonNumber.pipe(Schema.int(), Schema.between(fewestCells, mostCells)).annotations({
  description:
    "Cells along the longer of world X and world Z instead of those of the definition; along the other side as many as make cells nearly square"
})

const Heights = Schema.Tuple(coordinate, coordinate)
  .pipe(Schema.filter(([low, high]) => low <= high, { message: () => "expected [low, high], the lower height first" }))
  .annotations({
    description: "Leaves out markers whose height, world Y, lies below `low` or above `high`; both are within"
  })

/** What a question about a heatmap asks. */
export const heatmapFields = {
  time: QueryTime,
  metrics: Schema.NonEmptyArray(HeatmapMetric),
  heatmapData: Schema.Struct({ id: anyCase(HeatmapId), y: optional(Heights) }),
  ...filtering,
  options: withDefault(
    Schema.Struct({
      display: optional(HeatmapDisplay),
      cells: optional(Cells),
      points: optional(HeatmapPointsForm)
    }),
    {}
  )
}

/** Where players died in the last week. */
export const deaths = {
  time: { relative: { step: "day", value: 7 } },
  metrics: [{ id: "deaths", data: { type: "totalEvents", name: "Died" } }],
  heatmapData: { id: "6f1c1a52-0d0c-4a7e-9f55-3b1d2f8e7a10" },
  options: { display: "count" }
} as const

export const HeatmapQuery = Schema.Struct(heatmapFields)
  .annotations({
    identifier: "HeatmapQuery",
    description: "`display` density (the default) is the share of markers per square world unit"
  })
  .pipe(example(deaths))
export type HeatmapQuery = typeof HeatmapQuery.Type

export const HeatmapArguments = Schema.Struct({
  markers: Schema.Int.annotations({ description: "All markers in the area" }),
  arguments: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      values: Schema.Array(Schema.Struct({ value: GroupValue, count: Schema.Int })).annotations({
        description: "The four most frequent, counted over all markers in the area; a list is its JSON text"
      })
    })
  )
}).annotations({
  identifier: "HeatmapArguments",
  description: "The four arguments whose most frequent value is the most frequent"
})
export type HeatmapArguments = typeof HeatmapArguments.Type

const statistic = Schema.NullOr(Schema.Number)

const numbers = Schema.Array(Schema.Number)

export const HeatmapResult = Schema.Struct({
  points: Schema.Union(
    Schema.Array(Schema.Struct({ x: Schema.Number, y: Schema.Number, value: Schema.Number })),
    Schema.Struct({ x: numbers, y: numbers, value: numbers })
  ),
  bounds: Bounds,
  resolution: Schema.Struct({
    x: Schema.Int,
    y: Schema.Int,
    cellWidth: Schema.Number,
    cellHeight: Schema.Number
  }),
  statistics: Schema.Struct({
    totalEvents: Schema.Int,
    uniqueUsers: Schema.Int,
    insideBounds: Schema.Int,
    outsideBounds: Schema.Int,
    cells: Schema.Int,
    min: statistic,
    max: statistic,
    mean: statistic,
    p50: statistic,
    p95: statistic
  }),
  ...displayed,
  meta: QueryMeta
}).annotations({
  identifier: "HeatmapResult",
  description:
    "x and y of a point are the centre of a cell, in world X and world Z. Points are rows, or columns of equal length where the question says so"
})
export type HeatmapResult = typeof HeatmapResult.Type
