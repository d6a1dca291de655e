import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { MemoryStores } from "../../../src/app/Layers.ts"
import type { Running } from "../../../src/domain/experiments/Admission.ts"
import { type StoredExperiment, subjectOf } from "../../../src/domain/experiments/StoredExperiment.ts"
import { EnrolmentRepo } from "../../../src/ports/experiments/EnrolmentRepo.ts"
import type { EnrolmentRequest } from "../../../src/services/game/EnrolmentRequest.ts"
import { makeKnownEnrolments } from "../../../src/services/game/KnownEnrolments.ts"
import { anExperiment } from "../../support/experiments/StoredExperiments.ts"

/** Stores what was decided on the revision that is stored, as all stores do. */
const storesRevision = (stored: number) =>
  Layer.succeed(EnrolmentRepo, {
    enrolAll: (batches) =>
      Effect.succeed(
        batches.map(({ revisions, assignments }) =>
          [...revisions.values()].every((revision) => revision === stored) ? assignments : null
        )
      )
  })

/** The experiment as somebody has read it at that revision. */
const readAt = (experiment: StoredExperiment, revision: number): Running => {
  const read = { ...experiment, revision }
  return { experiment: read, subject: subjectOf(read, null) }
}

const requestOf = (running: Running, distinctId: string): EnrolmentRequest => ({
  place: { environmentId: running.experiment.environmentId, unitType: "user" },
  all: [running],
  wanted: [
    {
      running,
      unit: { distinctId, context: {} },
      decision: { type: "enrol", groupId: running.experiment.groups[0]?.id ?? assert.fail("no group") }
    }
  ],
  exposes: false
})

layer(MemoryStores)("requests whose groups are known", (it) => {
  const cases = [
    { what: "have read the same revision", revisions: [6, 6], told: [[true], [true]] },
    { what: "have both read what is gone", revisions: [5, 5], told: [null, null] },
    // Between them the running experiments were read anew, so that the objects differ.
    { what: "have read two revisions, the first one gone", revisions: [5, 6], told: [null, null] },
    { what: "have read two revisions, the second one gone", revisions: [6, 5], told: [null, null] }
  ]
  it.effect.each(cases)("of one unit that $what", ({ revisions, told }) =>
    Effect.gen(function* () {
      const experiment = yield* anExperiment
      const keep = yield* makeKnownEnrolments.pipe(Effect.provide(storesRevision(6)))
      const kept = yield* keep(
        revisions.map((revision) => requestOf(readAt(experiment, revision), "ann")),
        []
      )
      assert.deepStrictEqual(
        kept.map((each) => each?.map(({ isFresh }) => isFresh) ?? null),
        told
      )
    })
  )
})
