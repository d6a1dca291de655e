import { Effect, Schema } from "effect"
import { CohortRequest } from "../../../schema/cohorts/CohortRequests.ts"
import { Cohorts } from "../cohorts/Cohorts.ts"
import type { Studio } from "./DemoStudio.ts"

const month = { last: 30, unit: "day" } as const

const testers = Array.from({ length: 40 }, (_, index) => `player-${String(37 * (index + 1)).padStart(5, "0")}`)

const cohorts: ReadonlyArray<typeof CohortRequest.Encoded> = [
  {
    name: "Buyers",
    description: "Players who bought something in the last 30 days",
    definition: {
      op: "and",
      children: [
        {
          type: "behaviour",
          marker: "Purchase",
          measure: "count",
          operator: "greaterThanOrEqual",
          value: 1,
          window: month
        }
      ]
    }
  },
  {
    name: "Gone for five days",
    description: "Players who came back at least once and then stopped",
    definition: {
      op: "and",
      children: [
        {
          type: "behaviour",
          marker: "Login",
          measure: "distinctDays",
          operator: "greaterThanOrEqual",
          value: 2,
          window: month
        },
        { type: "stopped", marker: "Login", window: month, quietFor: { value: 5, unit: "day" } }
      ]
    }
  },
  {
    name: "New this week",
    definition: {
      op: "and",
      children: [{ type: "firstTime", marker: "Install", window: { last: 7, unit: "day" } }]
    }
  },
  {
    name: "Stuck in the lava",
    description: "Players on phones who died in the lava three times in a week and bought nothing",
    definition: {
      op: "and",
      children: [
        { type: "property", name: "device", operator: "is", value: "phone" },
        {
          type: "behaviour",
          marker: "PlayerDied",
          filters: [{ source: "argument", name: "cause", operator: "is", value: "lava" }],
          measure: "count",
          operator: "greaterThanOrEqual",
          value: 3,
          window: { last: 7, unit: "day" }
        },
        {
          type: "behaviour",
          did: false,
          marker: "Purchase",
          measure: "count",
          operator: "greaterThanOrEqual",
          value: 1,
          window: month
        }
      ]
    }
  },
  { name: "Beta testers", description: "Signed up in the forum", kind: "static", unitIds: testers }
]

/** The demo's cohorts: several that follow from what players do, and a list. */
export class DemoCohorts extends Effect.Service<DemoCohorts>()("services/demo/DemoCohorts", {
  effect: Effect.gen(function* () {
    const service = yield* Cohorts

    /** Makes the cohorts, unless the studio has one already. */
    const play = Effect.fnUntraced(function* ({ applicationId, environment }: Studio) {
      const where = { applicationId, environmentId: environment.id }
      if ((yield* service.list(where)).length > 0) return
      for (const cohort of cohorts) yield* service.create(where, yield* Schema.decode(CohortRequest)(cohort))
    })

    return { play } as const
  })
}) {}
