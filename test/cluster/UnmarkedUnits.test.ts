import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { PostgresMetadata } from "../../src/adapters/postgres/Postgres.ts"
import type { Exposure } from "../../src/domain/experiments/Exposure.ts"
import { ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { ExposureRepo } from "../../src/ports/experiments/ExposureRepo.ts"
import { assigned, exposureOf } from "../support/experiments/Exposed.ts"
import { aProject } from "../support/analytics/SavedQueries.ts"
import { byOperator, freshDatabase } from "../support/cluster/Database.ts"

it.scopedLive(
  "notes of units that a folder brought along are those of their exposures, and go as these are marked",
  () =>
    Effect.gen(function* () {
      const { name, url } = yield* freshDatabase
      const context = yield* Layer.build(PostgresMetadata({ url, connections: 4 }))
      const { production } = yield* Effect.provide(aProject, context)
      const repo = Context.get(context, ExposureRepo)
      const noted = (distinctId: string) =>
        [1, 2, 30].map((id): Exposure => {
          const own = { automaticGroupId: ExperimentGroupId.make(100 + id) }
          return exposureOf(production, assigned(ExperimentId.make(id), distinctId, own), 5)
        })
      for (const id of ["ann", "bob", "cid"]) {
        const exposures = JSON.stringify(Object.fromEntries(noted(id).map((each) => [each.experimentId, each.groupId])))
        yield* byOperator(
          `insert into unmarked_units (environment_id, distinct_id, unit_type, at, exposures)
         values (${production}, '${id}', 'user', 5, '${exposures}')`,
          name
        )
      }
      const everUnmarked = repo.unmarked(6, 100)
      const [ann, bob, cid] = [noted("ann"), noted("bob"), noted("cid")]
      assert.sameDeepMembers([...(yield* everUnmarked)], [...ann, ...bob, ...cid])
      assert.deepStrictEqual(yield* repo.unmarked(5, 100), [])
      assert.deepStrictEqual(yield* repo.noted(bob), bob)
      assert.deepStrictEqual(yield* repo.record(bob, []), bob)
      yield* repo.record([], [...ann, ...bob.slice(1), { ...cid[0]!, at: 4 }])
      assert.sameDeepMembers([...(yield* everUnmarked)], [...bob.slice(0, 1), ...cid])
      yield* repo.eraseUnit(production, "cid")
      yield* repo.record([], bob)
      assert.deepStrictEqual(yield* everUnmarked, [])
    })
)
