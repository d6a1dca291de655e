// What dashboards ask most beside the plain questions: the same by a breakdown, and retention and averages that depend on each player's markers.
import type { Question } from "../../src/domain/analytics/question/Question.ts"
import type { RetentionPlan } from "../../src/domain/analytics/retention/RetentionPlan.ts"
import { any, funnel, funnelSql, insight, one, retention, since, t } from "./QuestionParts.ts"
import type { BenchQuestion } from "./Questions.ts"
import { day } from "./Generate.ts"

const by = (name: string) => [{ source: "property" as const, name }]
/** All groups are shown: the made-up game has 40 countries. */
const limit = 50
const dayOf = "(ts // 86400000)"

const retentionWith = (question: Question, more: Partial<RetentionPlan>): Question =>
  question.kind === "retention" ? { kind: "retention", plan: { ...question.plan, ...more } } : question

const allCells = (answer: {
  series: ReadonlyArray<{ rows: ReadonlyArray<{ cells: ReadonlyArray<{ count: number }> }> }>
}) => [
  answer.series.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells)).reduce((sum, { count }) => sum + count, 0)
]

const allSteps = (answer: { series: ReadonlyArray<{ steps: ReadonlyArray<{ count: number }> }> }) => [
  answer.series.flatMap(({ steps }) => steps).reduce((sum, { count }) => sum + count, 0)
]

const allValues = (answer: { metrics: ReadonlyArray<ReadonlyArray<{ values: ReadonlyArray<number | null> }>> }) => [
  answer.metrics
    .flatMap((series) => series.flatMap(({ values }) => values))
    .reduce<number>((sum, value) => sum + (value ?? 0), 0)
]

const latest = (property: string) =>
  `groups as (select unit, arg_max(${property}, (ts, sequence)) as value from events where environment = 1 and ${property} is not null group by unit)`

export const groupedQuestions: ReadonlyArray<BenchQuestion> = [
  {
    name: "retention start marker -> return marker by country, 60 x 31",
    question: retentionWith(retention(one(5), one(1), "recurring", 60, 31), {
      breakdowns: by("country"),
      breakdownLimit: limit
    }),
    sql: `with s as (select distinct unit, ${dayOf} d0 from events where environment = 1 and type = ${t(5)} and ${since(60)}),
      r as (select distinct unit, ${dayOf} d from events where environment = 1 and type = ${t(1)} and ${since(60)}),
      ${latest("country")}
      select value, d0, d - d0 k, count(*) n from s join r using (unit) join groups using (unit) where d > d0 and d - d0 <= 31 group by 1, 2, 3`,
    ours: allCells
  },
  {
    name: "retention first-seen -> any marker by platform, 60 x 31",
    question: retentionWith(retention(any, any, "firstTime", 60, 31), {
      breakdowns: by("platform"),
      breakdownLimit: limit
    }),
    sql: `with f as (select unit, min(${dayOf}) d0 from events where environment = 1 group by unit),
      a as (select distinct unit, ${dayOf} d from events where environment = 1 and ${since(60)}),
      ${latest("platform")}
      select value, d0, d - d0 k, count(*) n from a join f using (unit) join groups using (unit) where d > d0 and d - d0 <= 31 group by 1, 2, 3`,
    ours: allCells
  },
  {
    name: "retention start marker -> return marker, intervals of 24 hours, 60 x 31",
    question: retentionWith(retention(one(5), one(1), "recurring", 60, 31), { window: "rolling24h" }),
    sql: `with s as (select unit, ts, ${dayOf} d0 from events where environment = 1 and type = ${t(5)} and ${since(60)}),
      r as (select unit, ts from events where environment = 1 and type = ${t(1)} and ${since(60)})
      select d0, (r.ts - s.ts) // 86400000 k, count(distinct s.unit) n from s join r on s.unit = r.unit and r.ts >= s.ts + 86400000 and r.ts < s.ts + ${32 * day} group by 1, 2`,
    ours: allCells
  },
  {
    name: "funnel 5 steps by country, 7 d window, 60 d",
    question: {
      kind: "funnel",
      plan: {
        ...funnel(60, 7 * day, [one(0), one(1), one(2), one(3), one(4)]),
        breakdowns: by("country"),
        breakdownLimit: limit
      }
    },
    sql: funnelSql(60, 7 * day, [0, 1, 2, 3, 4], "country"),
    ours: allSteps
  },
  {
    name: "unique users per day by country, top marker, 60 d",
    question: insight(60, one(0), [{ type: "uniqueUsers" }], by("country"), limit),
    sql: `select ${dayOf} d, country, count(distinct unit) n from events where environment = 1 and type = ${t(0)} and ${since(60)} group by 1, 2`,
    ours: allValues
  },
  {
    name: "average per user of an argument per day by country, 60 d",
    question: insight(60, one(0), [{ type: "averagePerUser", argument: "price" }], by("country"), limit),
    sql: `select d, country, avg(mean) n from (select ${dayOf} d, country, unit, avg(price) mean from events where environment = 1 and type = ${t(0)} and price is not null and ${since(60)} group by 1, 2, 3) group by 1, 2`,
    ours: allValues
  }
]
