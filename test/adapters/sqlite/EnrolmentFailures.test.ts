import { assert, it } from "@effect/vitest"
import Database from "better-sqlite3"
import { Context, Effect, Exit, Layer } from "effect"
import type { StoredExperiment } from "../../../src/domain/experiments/StoredExperiment.ts"
import { AssignmentRepo } from "../../../src/ports/experiments/AssignmentRepo.ts"
import { EnrolmentRepo } from "../../../src/ports/experiments/EnrolmentRepo.ts"
import { ExperimentRepo } from "../../../src/ports/experiments/ExperimentRepo.ts"
import { ExposureRepo } from "../../../src/ports/experiments/ExposureRepo.ts"
import { makeGroups } from "../../../src/services/Groups.ts"
import { assigned } from "../../support/experiments/Exposed.ts"
import { anExperiment } from "../../support/experiments/StoredExperiments.ts"
import { inFile } from "../../support/Stores.ts"

/** What makes the last statement, or the commit itself, fail for the unit `bad`. */
const faults = [
  [
    "a statement",
    `create trigger fault before insert on unmarked_units when new.distinct_id = 'bad'
       begin select raise(abort, 'fault'); end`
  ],
  [
    "the commit",
    `create table parents (id integer primary key) strict;
     create table children (id integer references parents (id) deferrable initially deferred) strict;
     create trigger fault after insert on unmarked_units when new.distinct_id = 'bad'
       begin insert into children values (1); end`
  ]
] as const

it.scoped.each(faults)("where %s fails, each who waits is told so, and nothing is stored", ([, fault]) =>
  Effect.gen(function* () {
    const { file, layer } = yield* inFile
    const context = yield* Layer.build(layer)
    const [repo, assignments] = [Context.get(context, EnrolmentRepo), Context.get(context, AssignmentRepo)]
    const insert = Effect.flatMap(anExperiment, (each) => Context.get(context, ExperimentRepo).insert(each))
    const experiment: StoredExperiment = yield* Effect.provide(insert, context)
    const { environmentId } = experiment
    const database = new Database(file)
    database.exec(fault)
    const groups = yield* makeGroups({
      most: 10,
      sizeOf: () => 1,
      handle: (ids: ReadonlyArray<string>) => {
        const revisions = new Map([[experiment.id, experiment.revision]])
        const all = ids.map((id) => assigned(experiment.id, id, { firstExposedAt: 1 }))
        return Effect.as(repo.enrolAll([{ environmentId, revisions, assignments: all }]), ids)
      }
    })
    const held = (ids: ReadonlyArray<string>) => assignments.ofUnits(environmentId, "user", ids)
    const together = repo.enrolAll([
      {
        environmentId,
        revisions: new Map([[experiment.id, experiment.revision]]),
        assignments: ["ann", "bad", "cid"].map((id) => assigned(experiment.id, id, { firstExposedAt: 1 }))
      }
    ])
    assert.isTrue(Exit.isFailure(yield* Effect.exit(together)))
    const nothing = [yield* held(["ann", "bad", "cid"]), yield* Context.get(context, ExposureRepo).unmarked(9, 9)]
    assert.deepStrictEqual(nothing, [[], []])
    const asked = yield* Effect.forEach(["ann", "bad", "cid"], (id) => Effect.exit(groups.ask(id)), { concurrency: 3 })
    assert.deepStrictEqual(asked.map(Exit.isSuccess), [true, false, true])
    assert.deepStrictEqual(
      (yield* held(["ann", "bad", "cid"])).map(({ distinctId }) => distinctId),
      ["ann", "cid"]
    )
    database.exec("drop trigger fault")
    database.close()
    assert.strictEqual((yield* together)[0]?.length, 3)
  })
)
