import { Effect } from "effect"
import type { ClickHouseProblem } from "../ClickHouse.ts"
import { BeyondSql } from "./BeyondSql.ts"
import { type Conditions, type Distinct, makeConditions, mostValues } from "./Conditions.ts"
import type { Generations } from "./Members.ts"
import type { Scope } from "./Scope.ts"
import { type Ground, whereOf } from "./Where.ts"

/** What a question asks ClickHouse: about markers of an environment as they are for the whole of the question. */
export interface Telling {
  readonly ground: Ground
  readonly rows: <Row>(query: string) => Effect.Effect<ReadonlyArray<Row>, ClickHouseProblem>
  readonly where: (scope: Scope) => string
  readonly distinct: Distinct
  readonly conditions: Conditions
}

/** `scope` has all the markers that the question depends on. */
export const tellingOf = (
  ground: Ground & { readonly generations: Generations },
  scope: Scope,
  rows: Telling["rows"]
): Telling => {
  const where = whereOf(ground, scope)
  const distinct: Distinct = <Row>(columns: string, condition: string) =>
    Effect.filterOrFail(
      rows<Row>(`select distinct ${columns} from marker where ${where} and ${condition} limit ${mostValues + 1}`),
      (found) => found.length <= mostValues,
      () => new BeyondSql()
    )
  return {
    ground,
    rows,
    where: (part) => whereOf(ground, part),
    distinct,
    conditions: makeConditions(ground.environment, ground.generations, distinct)
  }
}
