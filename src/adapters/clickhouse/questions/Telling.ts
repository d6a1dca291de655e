import { Effect } from "effect"
import type { ClickHouseProblem, Rows } from "../ClickHouse.ts"
import { BeyondSql } from "./BeyondSql.ts"
import { type Conditions, type Distinct, makeConditions, mostValues, type TypesOf } from "./Conditions.ts"
import { hasType, type SeenTypes, valueTypes } from "./SeenTypes.ts"
import type { Generations } from "./Members.ts"
import { pathsOf } from "./Paths.ts"
import type { Scope } from "./Scope.ts"
import { type Ground, whereOf } from "./Where.ts"

/** What a question asks ClickHouse: about markers of an environment as they are for the whole of the question. */
export interface Telling {
  readonly ground: Ground
  readonly rows: Rows
  readonly where: (scope: Scope) => string
  readonly distinct: Distinct
  readonly typesOf: TypesOf
  readonly conditions: Conditions
}

/** `scope` has all the markers that the question depends on, `seen` the types of values that any marker has. */
export const tellingOf = (
  ground: Ground & { readonly generations: Generations },
  scope: Scope,
  rows: Rows,
  seen: Effect.Effect<SeenTypes, ClickHouseProblem>
): Telling => {
  const where = whereOf(ground, scope)
  const distinct: Distinct = <Row>({ source, name, type }: Parameters<Distinct>[0]) =>
    Effect.flatMap(seen, (types) => {
      if (!hasType(types, { source, name, type })) return Effect.succeed<ReadonlyArray<Row>>([])
      const path = pathsOf(source, name)[type]
      return Effect.filterOrFail(
        rows<Row>(`select distinct ${path} from marker where ${where} and isNotNull(${path}) limit ${mostValues + 1}`),
        (found) => found.length <= mostValues,
        () => new BeyondSql()
      )
    })
  const typesOf: TypesOf = (source, name) =>
    Effect.map(seen, (types) => new Set(valueTypes.filter((type) => hasType(types, { source, name, type }))))
  return {
    ground,
    rows,
    where: (part) => whereOf(ground, part),
    distinct,
    typesOf,
    conditions: makeConditions(ground.environment, ground.generations, distinct, typesOf)
  }
}
