import { assert, describe, it } from "@effect/vitest"
import type { LifecycleRefusal } from "../../../src/domain/experiments/Lifecycle.ts"
import type { RolloutCommand } from "../../../src/domain/experiments/RolloutCommand.ts"
import { settle } from "../../../src/domain/experiments/Settlement.ts"
import { experiment, refusal, rolled, statusAt } from "../../support/experiments/Experiments.ts"

describe("rollout", () => {
  const running = settle(experiment(), 1_000).progress

  it("set takes over: pending steps never undo it", () => {
    const stopped = rolled(running, { action: "set", percent: 0 }, 1_300)
    assert.deepStrictEqual(
      stopped.rollout.steps.map(({ state }) => state),
      ["applied", "skipped", "skipped"]
    )
    const later = settle(stopped, 1_900).progress
    assert.deepInclude(later.rollout, { percent: 0, status: "idle" })
    assert.deepStrictEqual(
      later.phases.map(({ from, percent }) => [from, percent]),
      [
        [1_000, 10],
        [1_200, 25],
        [1_300, 0]
      ]
    )
  })

  it("advance takes the next step early and leaves the others at their times", () => {
    const advanced = rolled(running, { action: "advance" }, 1_050)
    assert.strictEqual(advanced.rollout.percent, 25)
    assert.strictEqual(settle(advanced, 1_399).progress.rollout.percent, 25)
    assert.strictEqual(settle(advanced, 1_400).progress.rollout.percent, 50)
  })

  it("pause enrols nobody and stops the plan; resume moves what is left of it by the pause", () => {
    const paused = rolled(running, { action: "pause" }, 1_250)
    assert.deepInclude(settle(paused, 1_800).progress.rollout, { percent: 25, status: "paused" })
    assert.strictEqual(settle(paused, 1_800).progress.status, "paused")
    const resumed = rolled(paused, { action: "resume" }, 1_350)
    assert.strictEqual(resumed.status, "active")
    assert.deepStrictEqual(
      resumed.rollout.steps.map(({ at }) => at),
      [1_200, 1_500, 1_700]
    )
    assert.strictEqual(statusAt(paused, 2_000), "completed")
  })

  it("resume leaves the plan where it is if the clock was set back during the pause", () => {
    const paused = rolled(running, { action: "pause" }, 1_250)
    assert.deepStrictEqual(
      rolled(paused, { action: "resume" }, 1_240).rollout.steps.map(({ at }) => at),
      [1_200, 1_400, 1_600]
    )
  })

  it("replaceSteps keeps what has been and replaces what was to come", () => {
    const replaced = rolled(running, { action: "replaceSteps", steps: [{ at: 1_500, percent: 80 }] }, 1_300)
    assert.deepStrictEqual(replaced.rollout.steps, [
      { at: 1_200, percent: 25, state: "applied" },
      { at: 1_500, percent: 80, state: "pending" }
    ])
    assert.deepStrictEqual(rolled(running, { action: "replaceSteps", steps: [] }, 1_300).rollout.status, "idle")
  })

  it("a plan replaced during a pause moves only by the rest of the pause", () => {
    const paused = rolled(running, { action: "pause" }, 1_250)
    const replaced = rolled(paused, { action: "replaceSteps", steps: [{ at: 1_500, percent: 80 }] }, 1_300)
    assert.strictEqual(rolled(replaced, { action: "resume" }, 1_400).rollout.steps.at(-1)!.at, 1_600)
  })

  it("history says who changed what when", () => {
    const history = rolled(rolled(running, { action: "pause" }, 1_250), { action: "resume" }, 1_260).rollout.history
    assert.deepStrictEqual(history, [
      { at: 1_200, action: "step", percent: 25 },
      { at: 1_250, action: "pause", percent: 25 },
      { at: 1_260, action: "resume", percent: 25 }
    ])
  })

  const refusals: ReadonlyArray<readonly [RolloutCommand, number, LifecycleRefusal]> = [
    [{ action: "set", percent: 101 }, 1_100, "PercentInvalid"],
    [{ action: "set", percent: -1 }, 1_100, "PercentInvalid"],
    [{ action: "set", percent: NaN }, 1_100, "PercentInvalid"],
    [{ action: "advance" }, 500, "NotStarted"],
    [{ action: "advance" }, 1_700, "NoStepLeft"],
    [{ action: "pause" }, 500, "NotStarted"],
    [{ action: "resume" }, 1_100, "NotPaused"],
    [{ action: "replaceSteps", steps: [{ at: 1_100, percent: 1 }] }, 1_100, "StepInThePast"],
    [{ action: "replaceSteps", steps: [{ at: 2_000, percent: 1 }] }, 1_100, "StepAfterEnd"],
    [{ action: "replaceSteps", steps: [{ at: 1_500, percent: 101 }] }, 1_100, "PercentInvalid"],
    [
      {
        action: "replaceSteps",
        steps: [
          { at: 1_500, percent: 1 },
          { at: 1_500, percent: 2 }
        ]
      },
      1_100,
      "StepsNotAscending"
    ],
    [{ action: "set", percent: 1 }, 2_000, "Ended"]
  ]
  for (const [command, now, expected] of refusals) {
    it(`${JSON.stringify(command)} at ${now} is refused: ${expected}`, () =>
      assert.strictEqual(refusal(experiment(), { type: "rollout", command }, now), expected))
  }

  it("a second pause is refused", () => {
    const paused = rolled(running, { action: "pause" }, 1_250)
    assert.strictEqual(refusal(paused, { type: "rollout", command: { action: "pause" } }, 1_300), "AlreadyPaused")
  })
})
