import { day } from "./Generate.ts"
import { since, t } from "./QuestionParts.ts"

const dayOf = "intDiv(ts, 86400000)"
const from = "from bench.events where environment = 1 and"

const funnel = (length: number, window: number, steps: ReadonlyArray<number>): string => {
  const conditions = steps.map((step) => `type = ${t(step)}`).join(", ")
  const types = steps.map(t).join(", ")
  return `select ${steps.map((_, step) => `countIf(reached > ${step})`).join(", ")} from
    (select windowFunnel(${window})(ts, ${conditions}) reached ${from} ${since(length)} and type in (${types}) group by unit)`
}

/** The questions of `Questions.ts` in their order, each with the function of ClickHouse that answers it fastest. */
export const chdbQuestions = (players: number): ReadonlyArray<string> => [
  `select ${dayOf} d, count() ${from} type = ${t(0)} and ${since(60)} group by d order by d`,
  `select ${dayOf} d, uniqExact(unit) ${from} type = ${t(0)} and ${since(60)} group by d order by d`,
  `select d, s, q[1], q[2] from (select ${dayOf} d, sum(price) s, quantilesExactInclusive(0.5, 0.95)(price) q
    ${from} type = ${t(0)} and ${since(30)} group by d order by d)`,
  `select ${dayOf} d, item, count(), uniqExact(unit) ${from} type = ${t(0)} and level >= 20 and mode in ('normal', 'easy', 'hard')
    and ${since(30)} group by d, item order by d, item`,
  funnel(30, day, [1, 2, 3]),
  funnel(60, 7 * day, [0, 1, 2, 3, 4]),
  `select d0, d - d0 k, count() n from (select min(${dayOf}) d0, arrayJoin(groupUniqArray(${dayOf})) d ${from} ${since(60)} group by unit)
    where d > d0 and d - d0 <= 31 group by d0, k order by d0, k`,
  `select d0, d - d0 k, count() n from (select arrayJoin(starts) d0, arrayJoin(returns) d from
      (select groupUniqArrayIf(${dayOf}, type = ${t(5)}) starts, groupUniqArrayIf(${dayOf}, type = ${t(1)}) returns
        ${from} type in (${t(5)}, ${t(1)}) and ${since(60)} group by unit))
    where d > d0 and d - d0 <= 31 group by d0, k order by d0, k`,
  `select least(63, floor((x - 100) / 10)) cx, least(63, floor((z - 100) / 10)) cz, count() n, uniqExact(unit)
    ${from} type = ${t(0)} and level >= 20 and x between 100 and 740 and y between 0 and 40 and z between 100 and 740 and ${since(14)}
    group by cx, cz`,
  `select count() from (select unit ${from} type = ${t(1)} and ${since(14)} group by unit having count() >= 3)`,
  `select item, count() n ${from} type = ${t(0)} and ${since(30)} group by item order by n desc, item limit 50`,
  `select ${dayOf} d, uniqExact(unit), count() ${from} ${since(60)} group by d order by d`,
  `select ${dayOf} d, count() ${from} type = ${t(0)} and ${since(30)} and unit in (select unit from bench.cohort) group by d order by d`,
  `select * ${from} unit = 'player-${Math.floor(players / 3)}' order by ts desc, sequence desc limit 100`
]

const ownColumns: Readonly<Record<string, string>> = {
  // `windowFunnel` takes no signed numbers.
  ts: "toUInt64(at)",
  price: "a.n_price.:Float64",
  level: "a.n_level.:Float64",
  item: "a.s_item.:String",
  mode: "a.s_mode.:String"
}

/** The same question of the table that markers have there, which keeps arguments of any name and type. */
export const ofOwnTable = (sql: string, database: string): string =>
  sql
    .replaceAll("bench.events", `${database}.marker`)
    .replaceAll(/\b(?:ts|price|level|item|mode)\b/g, (name) => ownColumns[name] ?? name)
