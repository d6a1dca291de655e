import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import type { Assignment } from "../../../src/domain/experiments/Assignment.ts"
import type { Context } from "../../../src/domain/experiments/Context.ts"
import type { Subject } from "../../../src/domain/experiments/Decision.ts"
import { decide } from "../../../src/domain/experiments/Decision.ts"
import type { ExperimentProgress } from "../../../src/domain/experiments/Experiment.ts"
import { hasEnded } from "../../../src/domain/experiments/Experiment.ts"
import type { LifecycleCommand } from "../../../src/domain/experiments/Lifecycle.ts"
import { decide as change } from "../../../src/domain/experiments/Lifecycle.ts"
import { next } from "../../../src/domain/experiments/RoundRobin.ts"
import { settle } from "../../../src/domain/experiments/Settlement.ts"
import type { Targeting } from "../../../src/domain/experiments/Targeting.ts"
import { everyone } from "../../../src/domain/experiments/Targeting.ts"
import type { ExperimentGroupId } from "../../../src/domain/Ids.ts"
import { command, experiment, steps, terminate } from "../../support/experiments/Experiments.ts"
import { runCount } from "../../support/Runs.ts"

type Happening =
  | { readonly kind: "evaluate"; readonly unit: string; readonly context: Context }
  | { readonly kind: "command"; readonly command: LifecycleCommand }
  | { readonly kind: "targeting"; readonly targeting: Targeting }
  | { readonly kind: "exclusion"; readonly holdoutPercent: number; readonly slots: readonly [number, number] }

const isVip: Targeting = { ...everyone, conditions: [{ property: "properties.vip", operator: "is", operands: [true] }] }

const happening: FastCheck.Arbitrary<Happening> = FastCheck.oneof(
  {
    weight: 40,
    arbitrary: FastCheck.record({
      kind: FastCheck.constant("evaluate" as const),
      unit: FastCheck.integer({ min: 1, max: 4 }).map((id) => `unit-${id}`),
      context: FastCheck.constantFrom<Context>({}, { "properties.vip": true }, { "unit.isNewUser": true })
    })
  },
  { weight: 16, arbitrary: command.map((command) => ({ kind: "command" as const, command })) },
  {
    weight: 4,
    arbitrary: FastCheck.constantFrom(everyone, isVip, { ...everyone, newUsersOnly: true }).map((targeting) => ({
      kind: "targeting" as const,
      targeting
    }))
  },
  {
    weight: 4,
    arbitrary: FastCheck.record({
      kind: FastCheck.constant("exclusion" as const),
      holdoutPercent: FastCheck.constantFrom(0, 0, 50, 100),
      slots: FastCheck.constantFrom([0, 10_000] as const, [0, 5_000] as const, [5_000, 10_000] as const)
    })
  },
  { weight: 1, arbitrary: FastCheck.constant({ kind: "command" as const, command: terminate }) }
)

class World {
  readonly assignments = new Map<string, Assignment>()
  progress: ExperimentProgress
  rules: Omit<Subject, "status" | "percent" | "groups">
  constructor(progress: ExperimentProgress, rules: World["rules"]) {
    this.progress = progress
    this.rules = rules
  }
  get subject(): Subject {
    const { status, rollout, groups } = this.progress
    return { ...this.rules, status, percent: rollout.percent, groups }
  }
  evaluate(unit: string, context: Context) {
    const assignment = this.assignments.get(unit) ?? null
    const decision = decide(this.subject, {
      distinctId: unit,
      context,
      cohorts: new Set(),
      isNew: context["unit.isNewUser"] === true,
      assignment
    })
    if (decision.type === "enrol") this.assign(unit, decision.groupId)
    if (decision.type === "enrolNext") this.assign(unit, this.turn())
    return decision
  }
  assign(unit: string, automaticGroupId: ExperimentGroupId) {
    this.assignments.set(unit, { automaticGroupId, overrideGroupId: null, status: "active" })
  }
  turn() {
    const members = [...this.assignments.values()]
    const tallies = this.progress.groups.map(({ id, weight }) => ({
      weight,
      assigned: members.filter(({ automaticGroupId }) => automaticGroupId === id).length
    }))
    return this.progress.groups[next(tallies)!]!.id
  }
  apply(happening: Happening, now: number) {
    this.progress = settle(this.progress, now).progress
    switch (happening.kind) {
      case "command":
        this.progress = Either.match(change(this.progress, happening.command, now), {
          onLeft: () => this.progress,
          onRight: ({ progress }) => progress
        })
        return
      case "targeting":
        this.rules = { ...this.rules, targeting: happening.targeting }
        return
      case "exclusion":
        this.rules = {
          ...this.rules,
          holdoutPercent: happening.holdoutPercent,
          exclusionLayer: { layer: "layer", slots: happening.slots }
        }
    }
  }
}

const rules = FastCheck.record({
  seed: FastCheck.constantFrom("a", "b", "c"),
  hashVersion: FastCheck.constantFrom(1, 2),
  assignmentMode: FastCheck.constantFrom("weightedHash" as const, "roundRobin" as const),
  autoAssignment: FastCheck.constant(true),
  permanentEnrollment: FastCheck.boolean(),
  exclusionLayer: FastCheck.constant(null),
  holdoutPercent: FastCheck.constant(0),
  targeting: FastCheck.constant(everyone)
})

describe("an assigned unit", () => {
  it("stays in its group through any changes of percent, weights, targeting, exclusions, rollout and time", () => {
    let seen = 0
    const history = FastCheck.array(FastCheck.tuple(happening, FastCheck.constantFrom(0, 10, 100)), {
      minLength: 20,
      maxLength: 50,
      size: "max"
    })
    FastCheck.assert(
      FastCheck.property(rules, steps, history, (rules, steps, history) => {
        const world = new World(experiment({ startsAt: 0, endsAt: null, percent: 90, steps }), rules)
        world.apply({ kind: "targeting", targeting: everyone }, 0)
        for (const unit of ["unit-1", "unit-2", "unit-3"]) world.evaluate(unit, {})
        let now = 0
        for (const [happening, later] of history) {
          now += later
          world.apply(happening, now)
          if (happening.kind !== "evaluate") continue
          const before = world.assignments.get(happening.unit)
          const { status, groups } = world.progress
          const decision = world.evaluate(happening.unit, happening.context)
          if (before === undefined) continue
          seen++
          assert.deepStrictEqual(world.assignments.get(happening.unit), before)
          if (decision.type === "none") {
            assert.isTrue(hasEnded(status) || (!rules.permanentEnrollment && decision.reason === "targeting"))
          } else {
            const group = groups.find(({ id }) => id === before.automaticGroupId)!
            assert.deepStrictEqual(decision, {
              type: "member",
              groupId: group.id,
              isManual: false,
              getsChangeset: !group.isDropped
            })
          }
        }
      }),
      { numRuns: runCount(2_000) }
    )
    assert.isAbove(seen, runCount(10_000))
  })

  it("is never enrolled after the end, before the start, while paused, or into a group without weight", () => {
    const history = FastCheck.array(FastCheck.tuple(happening, FastCheck.constantFrom(0, 10, 100)), {
      minLength: 10,
      maxLength: 30,
      size: "max"
    })
    FastCheck.assert(
      FastCheck.property(rules, steps, history, (rules, steps, history) => {
        const planned = steps.filter(({ at }) => at < 1_500)
        const world = new World(experiment({ startsAt: 300, endsAt: 1_500, steps: planned }), rules)
        let now = 0
        for (const [happening, later] of history) {
          now += later
          world.apply(happening, now)
          if (happening.kind !== "evaluate" || world.assignments.has(happening.unit)) continue
          world.evaluate(happening.unit, happening.context)
          const assignment = world.assignments.get(happening.unit)
          if (assignment === undefined) continue
          assert.strictEqual(world.progress.status, "active")
          assert.isTrue(now >= 300 && now < (world.progress.endsAt ?? Infinity))
          const group = world.progress.groups.find(({ id }) => id === assignment.automaticGroupId)!
          assert.isTrue(group.weight > 0 && !group.isDropped)
        }
      }),
      { numRuns: runCount(2_000) }
    )
  })
})
