import { it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { exposed } from "../support/Arbitraries.ts"
import { cohortPlan } from "../support/cohorts/CohortPlans.ts"
import { cohortIds, MemberStore } from "../support/cohorts/MemberStore.ts"
import { origin, tick } from "../support/analytics/PlanParts.ts"
import { ScannedEnvironments } from "../support/analytics/ScannedEnvironment.ts"
import { worldOf } from "../support/analytics/ScannedStore.ts"
import { runCount } from "../support/Runs.ts"

const units = ["u0", "u1", "u2", "u3", "nobody"]

const cohortId = fc.constantFrom(...cohortIds)

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant("recompute" as const), cohortId, plan: cohortPlan }) },
  fc.record({ do: fc.constant("replace" as const), cohortId, unitIds: fc.subarray([...units, "new"]) }),
  fc.record({
    do: fc.constant("interrupt" as const),
    cohortId,
    plan: cohortPlan,
    steps: fc.integer({ min: 0, max: 3 })
  }),
  fc.record({ do: fc.constant("remove" as const), cohortId }),
  fc.record({ do: fc.constant("erase" as const), unitId: fc.constantFrom(...units) }),
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom("seal" as const, "compact" as const, "reopen" as const) }) }
)

const script = fc.array(
  fc.record({ count: fc.integer({ min: 0, max: 12 }), step, later: fc.integer({ min: 0, max: 2 }) }),
  {
    minLength: 1,
    maxLength: 8
  }
)

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const act = (store: MemberStore, one: Step, now: number): void => {
  switch (one.do) {
    case "recompute":
      return store.recompute(one.cohortId, one.plan, now)
    case "replace":
      return store.replace(one.cohortId, one.unitIds, now)
    case "interrupt":
      return store.interrupt(one.cohortId, one.plan, now, one.steps)
    case "remove":
      return store.remove(one.cohortId)
    case "erase":
      return store.erase(one.unitId)
    default:
      return store[one.do]()
  }
}

// oxlint-disable-next-line vitest/expect-expect -- the store asserts
it("Scanned columns find the members that the pure function finds, and keep their history", async () => {
  const environments = new ScannedEnvironments()
  await fc.assert(
    fc.asyncProperty(worldOf(exposed), script, cohortPlan, (all, steps, plan) =>
      environments.use((environment) => {
        const store = new MemberStore(environment)
        let [now, sent] = [origin, 0]
        const instants = new Set<number>()
        for (const { count, step: one, later } of steps) {
          store.append(all.slice(sent, sent + count))
          sent += count
          now += later * tick
          act(store, one, now)
          instants.add(now - 1).add(now)
        }
        store.append(all.slice(sent))
        store.checkMembers(units, [...instants])
        store.checkEvaluation(plan)
      })
    ),
    { numRuns: runCount(1000) }
  )
  environments.close()
})
