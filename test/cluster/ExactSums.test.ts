import { assert, it } from "@effect/vitest"
import { Effect, FastCheck as fc } from "effect"
import { doubleLiteral } from "../../src/adapters/clickhouse/questions/Paths.ts"
import { type SumParts, sumOfParts, sumPartsOf } from "../../src/adapters/clickhouse/questions/ExactSum.ts"
import { exactSum } from "../../src/domain/analytics/insight/Sum.ts"
import { freshDatabases, inClickHouse } from "../support/cluster/EventStores.ts"
import { runCount } from "../support/Runs.ts"

const double = fc.oneof(
  fc.double({ min: -1e300, max: 1e300, noNaN: true }).map((number) => number + 0),
  fc.double({ min: -1000, max: 1000, noNaN: true }).map((number) => number + 0),
  fc.constantFrom(0, 0.1, -0.1, 2 ** -20, 2 ** 20, -(2 ** 20), 1_048_575.999_999_999_9, 1e16, -1e16, 5e-324)
)

const sums = fc.sample(fc.array(double, { minLength: 1, maxLength: 60 }), runCount(400))

it("ClickHouse sums doubles of any size to the last bit", () =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(freshDatabases(), ({ postgres, clickHouse }) =>
        Effect.promise(() =>
          inClickHouse({ postgres, clickHouse: { ...clickHouse, database: "default" } }, ({ rows }) =>
            Effect.forEach(sums, (doubles) =>
              Effect.map(
                rows<readonly [SumParts]>(
                  `select ${sumPartsOf("value")} from (select arrayJoin([${doubles.map(doubleLiteral).join(", ")}])::Nullable(Float64) as value)`
                ),
                ([found]) => assert.strictEqual(found === undefined ? null : sumOfParts(found[0]), exactSum(doubles))
              )
            )
          )
        )
      )
    )
  ))
