import type { Question } from "../../src/domain/analytics/question/Question.ts"
import { unfiltered } from "../../src/domain/analytics/filter/Filter.ts"
import type { Selector } from "../../src/domain/analytics/filter/Selector.ts"
import { CohortId } from "../../src/domain/Ids.ts"
import { day, types } from "./Generate.ts"
import {
  range,
  one,
  any,
  where,
  level,
  mode,
  insight,
  funnel,
  retention,
  t,
  since,
  funnelSql,
  steps
} from "./QuestionParts.ts"

export interface BenchQuestion {
  readonly name: string
  readonly question: Question
  readonly sql: string
  /** Numbers that both answers must agree on. */
  readonly ours: (answer: never) => ReadonlyArray<number>
}
const dayOf = "(ts // 86400000)"

const firstValues = (answer: { metrics: ReadonlyArray<ReadonlyArray<{ values: ReadonlyArray<number | null> }>> }) =>
  answer.metrics.flatMap((series) => series.flatMap(({ values }) => values.map((value) => value ?? 0)))
const cells = (answer: {
  series: ReadonlyArray<{ rows: ReadonlyArray<{ cells: ReadonlyArray<{ count: number }> }> }>
}) => [answer.series[0]!.rows.flatMap((row) => row.cells).reduce((sum, { count }) => sum + count, 0)]

/** Funnels over all markers of the last days: a step for each type, the first two types again at the end, or all types in three steps. */
export const longFunnel: Question = {
  kind: "funnel",
  plan: funnel(
    30,
    7 * day,
    Array.from({ length: 32 }, (_, at) => one(at % types.length))
  )
}
export const shortFunnel: Question = {
  kind: "funnel",
  plan: funnel(
    30,
    7 * day,
    Array.from({ length: 3 }, (_, step): Selector => {
      const own = types.filter((_type, at) => at % 3 === step)
      return { types: [own[0]!, ...own.slice(1)], filter: unfiltered }
    })
  )
}

/** The place of the funnel of five steps among the questions. */
export const funnelAt = 5
/** The same funnel, which also tells the times to convert. */
export const timedFunnel: Question = {
  kind: "funnel",
  plan: {
    ...funnel(60, 7 * day, [one(0), one(1), one(2), one(3), one(4)]),
    timeToConvert: { fromStep: 0, toStep: 4, bins: 20 }
  }
}

const member = "player-1%"
export const cohortId = 1
export const cohort = (players: number): ReadonlyArray<string> =>
  Array.from({ length: players }, (_, at) => `player-${at}`).filter((unit) => unit.startsWith("player-1"))

export const questions = (players: number): ReadonlyArray<BenchQuestion> => [
  {
    name: "count per day, top marker, 60 d",
    question: insight(60, one(0), [{ type: "totalEvents" }]),
    sql: `select ${dayOf} d, count(*) from events where environment = 1 and type = ${t(0)} and ${since(60)} group by d order by d`,
    ours: firstValues
  },
  {
    name: "unique users per day, top marker, 60 d",
    question: insight(60, one(0), [{ type: "uniqueUsers" }]),
    sql: `select ${dayOf} d, count(distinct unit) from events where environment = 1 and type = ${t(0)} and ${since(60)} group by d order by d`,
    ours: firstValues
  },
  {
    name: "sum, p50, p95 of an argument per day, 30 d",
    question: insight(30, one(0), [
      { type: "sum", argument: "price" },
      { type: "percentile", argument: "price", percentile: 50 },
      { type: "percentile", argument: "price", percentile: 95 }
    ]),
    sql: `select ${dayOf} d, sum(price), quantile_cont(price, 0.5), quantile_cont(price, 0.95) from events where environment = 1 and type = ${t(0)} and ${since(30)} group by d order by d`,
    ours: firstValues
  },
  {
    name: "count + uniques by day x argument, 2 filters, 30 d",
    question: insight(
      30,
      one(0, where(level, mode)),
      [{ type: "totalEvents" }, { type: "uniqueUsers" }],
      [{ source: "argument", name: "item" }]
    ),
    sql: `select ${dayOf} d, item, count(*), count(distinct unit) from events where environment = 1 and type = ${t(0)} and level >= 20 and mode in ('normal','easy','hard') and ${since(30)} group by d, item order by d, item`,
    ours: (answer: { metrics: ReadonlyArray<ReadonlyArray<{ values: ReadonlyArray<number | null> }>> }) => [
      answer.metrics[0]!.flatMap(({ values }) => values).reduce<number>((sum, value) => sum + (value ?? 0), 0)
    ]
  },
  {
    name: "funnel 3 steps, 1 d window, 30 d",
    question: { kind: "funnel", plan: funnel(30, day, [one(1), one(2), one(3)]) },
    sql: funnelSql(30, day, [1, 2, 3]),
    ours: steps
  },
  {
    name: "funnel 5 steps, 7 d window, 60 d",
    question: { kind: "funnel", plan: funnel(60, 7 * day, [one(0), one(1), one(2), one(3), one(4)]) },
    sql: funnelSql(60, 7 * day, [0, 1, 2, 3, 4]),
    ours: steps
  },
  {
    name: "retention first-seen -> any marker, 60 x 31",
    question: retention(any, any, "firstTime", 60, 31),
    sql: `with f as (select unit, min(${dayOf}) d0 from events where environment = 1 group by unit),
      a as (select distinct unit, ${dayOf} d from events where environment = 1 and ${since(60)})
      select d0, d - d0 k, count(*) n from a join f using (unit) where d > d0 and d - d0 <= 31 group by 1, 2 order by 1, 2`,
    ours: cells
  },
  {
    name: "retention start marker -> return marker",
    question: retention(one(5), one(1), "recurring", 60, 31),
    sql: `with s as (select distinct unit, ${dayOf} d0 from events where environment = 1 and type = ${t(5)} and ${since(60)}),
      r as (select distinct unit, ${dayOf} d from events where environment = 1 and type = ${t(1)} and ${since(60)})
      select d0, d - d0 k, count(*) n from s join r using (unit) where d > d0 and d - d0 <= 31 group by 1, 2 order by 1, 2`,
    ours: cells
  },
  {
    name: "heatmap 64 x 64 in a box + filter, 14 d",
    question: {
      kind: "heatmap",
      plan: {
        range: range(14),
        selectors: [one(0, where(level))],
        filter: unfiltered,
        bounds: { pointA: { x: 100, y: 0, z: 100 }, pointB: { x: 740, y: 40, z: 740 } },
        resolution: { x: 64, y: 64 }
      }
    },
    sql: `select least(63, floor((x - 100) / 10)) cx, least(63, floor((z - 100) / 10)) cz, count(*) n, count(distinct unit) from events
      where environment = 1 and type = ${t(0)} and level >= 20 and x between 100 and 740 and y between 0 and 40 and z between 100 and 740 and ${since(14)} group by 1, 2`,
    ours: (answer: { insideBounds: number }) => [answer.insideBounds]
  },
  {
    name: "cohort: marker >= 3 times in 14 d",
    question: {
      kind: "countedUnits",
      plan: { selector: one(1), range: range(14), minimum: 3, maximum: null, limit: 0 }
    },
    sql: `select count(*) from (select unit from events where environment = 1 and type = ${t(1)} and ${since(14)} group by unit having count(*) >= 3)`,
    ours: (answer: { count: number }) => [answer.count]
  },
  {
    name: "distinct argument values, top 50, 30 d",
    question: {
      ...insight(30, one(0), [{ type: "totalEvents" }], [{ source: "argument", name: "item" }], 50)
    },
    sql: `select item, count(*) n from events where environment = 1 and type = ${t(0)} and ${since(30)} group by item order by n desc, item limit 50`,
    ours: (answer: { metrics: ReadonlyArray<ReadonlyArray<{ aggregate: number | null }>> }) =>
      answer.metrics[0]!.slice(0, 50).map(({ aggregate }) => aggregate ?? 0)
  },
  {
    name: "daily active users + events, any marker, 60 d",
    question: insight(60, any, [{ type: "uniqueUsers" }, { type: "totalEvents" }]),
    sql: `select ${dayOf} d, count(distinct unit), count(*) from events where environment = 1 and ${since(60)} group by d order by d`,
    ours: firstValues
  },
  {
    name: "count per day within a cohort, 30 d",
    question: insight(30, one(0, where({ source: "cohort", cohortIds: [CohortId.make(cohortId)], isIn: true })), [
      { type: "totalEvents" }
    ]),
    sql: `select ${dayOf} d, count(*) from events where environment = 1 and type = ${t(0)} and ${since(30)} and unit in (select unit from cohort) group by d order by d`,
    ours: firstValues
  },
  {
    name: "one user's last 100 markers",
    question: {
      kind: "listing",
      plan: {
        range: { from: 0, to: 1e15 },
        types: null,
        unitId: `player-${Math.floor(players / 3)}`,
        filter: unfiltered,
        limit: 100,
        after: null
      }
    },
    sql: `select * from events where environment = 1 and unit = 'player-${Math.floor(players / 3)}' order by ts desc, sequence desc limit 100`,
    ours: (answer: { items: ReadonlyArray<unknown> }) => [answer.items.length]
  }
]

export const cohortSql = `create or replace table cohort as select distinct unit from events where unit like '${member}'`
