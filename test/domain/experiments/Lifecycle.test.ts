import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import type { ExperimentProgress } from "../../../src/domain/experiments/Experiment.ts"
import { hasEnded } from "../../../src/domain/experiments/Experiment.ts"
import { create, decide } from "../../../src/domain/experiments/Lifecycle.ts"
import { settle } from "../../../src/domain/experiments/Settlement.ts"
import {
  after,
  command,
  experiment,
  groupIds,
  instant,
  plan,
  refusal,
  rolled,
  statusAt,
  steps,
  terminate
} from "../../support/experiments/Experiments.ts"
import { runCount } from "../../support/Runs.ts"

describe("time", () => {
  it("starts, ramps and ends an experiment at the planned instants, whenever one looks", () => {
    const { progress, events } = settle(experiment(), 5_000)
    assert.deepStrictEqual(events, [
      { type: "started", at: 1_000 },
      { type: "rolloutChanged", at: 1_200, action: "step" },
      { type: "rolloutChanged", at: 1_400, action: "step" },
      { type: "rolloutChanged", at: 1_600, action: "step" },
      { type: "ended", at: 2_000, status: "completed" }
    ])
    assert.deepStrictEqual(
      progress.phases.map(({ from, percent }) => [from, percent]),
      [
        [1_000, 10],
        [1_200, 25],
        [1_400, 50],
        [1_600, 100]
      ]
    )
    assert.deepStrictEqual(
      [999, 1_000, 1_999, 2_000].map((now) => statusAt(experiment(), now)),
      ["scheduled", "active", "active", "completed"]
    )
  })

  it("an experiment that starts in the past has had its steps at their own times; those before its start count at the start", () => {
    const { progress } = settle(experiment({ startsAt: 1_300, endsAt: null }), 1_500)
    assert.deepStrictEqual(
      progress.rollout.history.map(({ at, percent }) => [at, percent]),
      [
        [1_300, 25],
        [1_400, 50]
      ]
    )
    assert.deepStrictEqual(
      progress.phases.map(({ from, percent }) => [from, percent]),
      [
        [1_300, 25],
        [1_400, 50]
      ]
    )
  })

  it("settling again, or in between after a crash, changes nothing", () => {
    FastCheck.assert(
      FastCheck.property(
        steps,
        FastCheck.option(instant),
        FastCheck.array(instant, { maxLength: 5 }),
        instant,
        (steps, endsAt, stops, now) => {
          const created = create({ ...plan, startsAt: 500, endsAt, steps })
          if (Either.isLeft(created)) return
          const inOneGo = settle(created.right, now)
          let progress = created.right
          const events = stops
            .filter((stop) => stop <= now)
            .sort((a, b) => a - b)
            .concat(now)
            .flatMap((stop) => {
              const settled = settle(progress, stop)
              progress = settled.progress
              return settled.events
            })
          assert.deepStrictEqual(progress, inOneGo.progress)
          assert.deepStrictEqual(events, inOneGo.events)
          assert.deepStrictEqual(settle(progress, now), { progress, events: [] })
        }
      ),
      { numRuns: runCount(2_000) }
    )
  })
})

describe("any sequence of commands", () => {
  const allowed: Record<string, ReadonlyArray<string>> = {
    scheduled: ["scheduled", "active", "paused", "completed", "terminated"],
    active: ["active", "paused", "completed", "terminated"],
    paused: ["active", "paused", "completed", "terminated"],
    completed: ["completed"],
    terminated: ["terminated"]
  }

  const check = (progress: ExperimentProgress) => {
    const { phases, rollout, groups, status } = progress
    for (const [index, phase] of phases.entries()) {
      if (index > 0) assert.isAbove(phase.from, phases[index - 1]!.from)
    }
    for (const weights of [...phases.map(({ weights }) => weights), groups.map(({ weight }) => weight)]) {
      assert.strictEqual(
        weights.reduce((sum, weight) => sum + weight, 0),
        10_000
      )
    }
    for (const { weight, isDropped } of groups) if (isDropped) assert.strictEqual(weight, 0)
    const isWaiting = rollout.steps.some(({ state }) => state === "pending")
    if (status === "paused") assert.strictEqual(rollout.status, "paused")
    else assert.strictEqual(rollout.status, isWaiting ? "ramping" : "idle")
    assert.strictEqual(rollout.history.at(-1)?.percent ?? plan.percent, rollout.percent)
    const hasNeverRun =
      status === "scheduled" || (status === "terminated" && progress.terminatedAt! < progress.startsAt)
    if (hasNeverRun) assert.isEmpty(phases)
    else assert.deepInclude(phases.at(-1), { percent: rollout.percent, weights: groups.map(({ weight }) => weight) })
    if (hasEnded(status)) assert.isFalse(isWaiting)
  }

  it("keeps phases, weights, rollout and status in agreement, and leaves an ended experiment alone", () => {
    const sequence = FastCheck.array(
      FastCheck.tuple(
        FastCheck.oneof({ weight: 12, arbitrary: command }, { weight: 1, arbitrary: FastCheck.constant(terminate) }),
        FastCheck.constantFrom(0, 30, 100)
      ),
      { maxLength: 15, size: "max" }
    )
    FastCheck.assert(
      FastCheck.property(steps, sequence, (steps, sequence) => {
        const created = create({ ...plan, startsAt: 200, endsAt: 2_000, steps })
        if (Either.isLeft(created)) return
        let progress = created.right
        let now = 0
        for (const [command, later] of sequence) {
          now += later
          const settled = settle(progress, now)
          const result = decide(progress, command, now)
          if (hasEnded(settled.progress.status)) assert.deepStrictEqual(result, Either.left("Ended"))
          const reached = Either.getOrElse(result, () => settled)
          assert.include(allowed[progress.status]!, reached.progress.status)
          for (const { at } of reached.events) assert.isAtMost(at, now)
          assert.deepStrictEqual(reached.events.slice(0, settled.events.length), settled.events)
          progress = reached.progress
          check(progress)
        }
      }),
      { numRuns: runCount(3_000) }
    )
  })
})

describe("end", () => {
  const [control, treatment] = [groupIds[0]!, groupIds[1]!]

  it("terminate works while scheduled, active and paused, once, and records why and who won", () => {
    const paused = rolled(experiment(), { action: "pause" }, 1_100)
    for (const [progress, now] of [
      [experiment(), 500],
      [experiment(), 1_100],
      [paused, 1_200]
    ] as const) {
      const ended = after(
        progress,
        { type: "terminate", reason: "won", winnerGroupId: treatment, applyToBase: true },
        now
      )
      assert.deepInclude(ended, {
        status: "terminated",
        terminatedAt: now,
        terminationReason: "won",
        winnerGroupId: treatment
      })
      assert.strictEqual(refusal(ended, terminate, now), "Ended")
      assert.deepStrictEqual(settle(ended, 9_000).events, [])
    }
    assert.strictEqual(refusal(experiment(), terminate, 2_000), "Ended")
  })

  it("a winner must be a group of the experiment, and is needed to apply it", () => {
    const foreign = 99 as typeof control
    const winner = { type: "terminate", reason: null, applyToBase: true } as const
    assert.strictEqual(refusal(experiment(), { ...winner, winnerGroupId: foreign }, 1_100), "UnknownGroup")
    assert.strictEqual(refusal(experiment(), { ...winner, winnerGroupId: null }, 1_100), "WinnerMissing")
  })

  it("may be moved, but not into the past nor before the start", () => {
    assert.isNull(after(experiment(), { type: "reschedule", endsAt: null }, 1_100).endsAt)
    assert.strictEqual(statusAt(after(experiment(), { type: "reschedule", endsAt: 3_000 }, 1_100), 2_500), "active")
    assert.strictEqual(refusal(experiment(), { type: "reschedule", endsAt: 1_100 }, 1_100), "EndTooEarly")
    assert.strictEqual(refusal(experiment(), { type: "reschedule", endsAt: 900 }, 100), "EndTooEarly")
  })

  it("moved onto a step comes before it, and what was still planned is skipped", () => {
    const { progress } = settle(after(experiment(), { type: "reschedule", endsAt: 1_400 }, 1_100), 5_000)
    assert.strictEqual(progress.status, "completed")
    assert.deepInclude(progress.rollout, { percent: 25, status: "idle" })
    assert.deepStrictEqual(
      progress.rollout.steps.map(({ state }) => state),
      ["applied", "skipped", "skipped"]
    )
  })

  it("a dropped group's weight goes to the others in their proportions, and opens a phase", () => {
    const dropped = after(experiment({ steps: [] }), { type: "dropGroup", groupId: control }, 1_500)
    assert.deepStrictEqual(
      dropped.groups.map(({ weight, isDropped }) => [weight, isDropped]),
      [
        [0, true],
        [4_286, false],
        [5_714, false]
      ]
    )
    assert.deepStrictEqual(
      dropped.phases.map(({ from }) => from),
      [1_000, 1_500]
    )
    assert.strictEqual(refusal(dropped, { type: "dropGroup", groupId: control }, 1_500), "UnknownGroup")
    const one = after(dropped, { type: "dropGroup", groupId: treatment }, 1_600)
    assert.strictEqual(refusal(one, { type: "dropGroup", groupId: groupIds[2]! }, 1_700), "LastGroup")
    const weights = [5_000, 0, 5_000]
    assert.strictEqual(refusal(dropped, { type: "changeWeights", weights }, 1_600), "WeightsInvalid")
  })

  it("plans that cannot be are refused at creation", () => {
    const refused = (change: object) => Either.getOrThrow(Either.flip(create({ ...plan, ...change })))
    assert.strictEqual(refused({ endsAt: 1_000 }), "EndTooEarly")
    assert.strictEqual(refused({ groups: plan.groups.slice(1) }), "WeightsInvalid")
    assert.strictEqual(refused({ percent: 100.5 }), "PercentInvalid")
    assert.strictEqual(refused({ steps: plan.steps.toReversed() }), "StepsNotAscending")
    assert.strictEqual(refused({ endsAt: 1_500 }), "StepAfterEnd")
  })
})
