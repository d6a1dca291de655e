import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { at } from "../../../src/domain/experiments/StoredExperiment.ts"
import { timedEvents } from "../../../src/domain/operations/webhooks/ExperimentEvents.ts"
import { MemoryStores } from "../../../src/app/Layers.ts"
import { experiment as scheduled } from "../../support/experiments/Experiments.ts"
import { anExperiment } from "../../support/experiments/StoredExperiments.ts"

it.effect("what was due while no server ran is told with the percent of its own instant", () =>
  Effect.gen(function* () {
    const stored = { ...(yield* anExperiment), progress: scheduled(), events: [] }
    assert.deepStrictEqual(
      timedEvents(at(stored, 2_000), 0).map(({ type, at, more }) => [type, at, more["percent"]]),
      [
        ["experiment.started", 1_000, 10],
        ["experiment.rolloutChanged", 1_200, 25],
        ["experiment.rolloutChanged", 1_400, 50],
        ["experiment.rolloutChanged", 1_600, 100],
        ["experiment.ended", 2_000, undefined]
      ]
    )
  }).pipe(Effect.provide(MemoryStores))
)
