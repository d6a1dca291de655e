import { Effect, Schema } from "effect"
import { CreateExperiment } from "../../../schema/experiments/ExperimentRecord.ts"
import { demoGroups } from "../../domain/demo/DemoGroups.ts"
import { dayMillis } from "../../domain/Durations.ts"
import type { ConfigurationId } from "../../domain/Ids.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { ExperimentRepo } from "../../ports/experiments/ExperimentRepo.ts"
import { Experiments } from "../experiments/Experiments.ts"
import type { Studio } from "./DemoStudio.ts"
import { asOf } from "./Past.ts"

type Request = Omit<typeof CreateExperiment.Encoded, "baseConfigurationId">

interface Played {
  /** Days after the launch of the game. */
  readonly day: number
  /** The name of the base configuration. */
  readonly base: string
  readonly request: Request
}

const control = { weight: 5000, isControl: true }

const logins = { id: "logins", name: "Logins a player", type: "mean", marker: "Login" } as const

const experiments: ReadonlyArray<Played> = [
  {
    day: 10,
    base: "Onboarding",
    request: {
      name: "Shorter tutorial",
      description: "Three steps instead of five, for players who are new",
      hypothesis: "A shorter tutorial brings more new players to the end of their first level",
      unitType: "user",
      assignmentMode: "roundRobin",
      groups: [
        { name: "Five steps", ...control },
        {
          name: demoGroups.shortTutorial,
          weight: 5000,
          changeset: { operations: [{ op: "set", path: ["tutorial", "steps"], value: 3 }] }
        }
      ],
      targeting: { conditions: [{ property: "properties.newPlayer", operator: "is", value: true }] },
      metrics: {
        goals: [{ id: "level", name: "Completed a level", type: "proportion", marker: "LevelCompleted" }],
        guardrails: [{ id: "day1", name: "Came back the next day", type: "retention", marker: "Login", day: 1 }]
      }
    }
  },
  {
    day: 13,
    base: "Economy",
    request: {
      name: "Cheaper starter pack",
      description: "The starter pack at 0.99 instead of 1.99, with a banner on the first page of the shop",
      hypothesis: "More players buy at all, and those who have bought once buy again",
      unitType: "user",
      assignmentMode: "roundRobin",
      groups: [
        { name: "Pack for 1.99", ...control },
        {
          name: demoGroups.cheaperPack,
          weight: 5000,
          changeset: { operations: [{ op: "set", path: ["shop", "starterPack", "price"], value: 0.99 }] }
        }
      ],
      metrics: {
        goals: [
          { id: "buyers", name: "Buyers", type: "proportion", marker: "Purchase" },
          {
            id: "revenue",
            name: "Revenue a player",
            type: "mean",
            marker: "Purchase",
            aggregation: "sum",
            argument: "price"
          }
        ],
        guardrails: [logins]
      }
    }
  },
  {
    day: 18,
    base: "Interface",
    request: {
      name: "New main menu",
      description:
        "Tiles instead of tabs. Support keeps putting players of the influencer campaign into the new menu by hand, so that the groups cannot be compared",
      hypothesis: "Players find the rewards, and watch more advertisements for them",
      unitType: "user",
      assignmentMode: "weightedHash",
      groups: [
        { name: "Tabs", ...control },
        {
          name: demoGroups.newMenu,
          weight: 5000,
          changeset: { operations: [{ op: "set", path: ["menu", "layout"], value: "tiles" }] }
        }
      ],
      metrics: {
        goals: [{ id: "ads", name: "Watched an advertisement", type: "proportion", marker: "AdWatched" }],
        guardrails: [logins]
      }
    }
  }
]

/** The demo's experiments: one whose result is not clear, one that wins, and one whose groups cannot be compared. */
export class DemoExperiments extends Effect.Service<DemoExperiments>()("services/demo/DemoExperiments", {
  effect: Effect.gen(function* () {
    const configurations = yield* ConfigurationRepo
    const service = yield* Experiments
    const stored = yield* ExperimentRepo

    const create = Effect.fnUntraced(function* (
      { applicationId, environment, firstDay }: Studio,
      baseConfigurationId: ConfigurationId,
      { day, request }: Played
    ) {
      const decoded = yield* Schema.decode(CreateExperiment)({ ...request, baseConfigurationId })
      yield* asOf((firstDay + day) * dayMillis)(
        service.create({ applicationId, environmentId: environment.id }, decoded)
      )
    })

    /** Makes the experiments, unless the studio has one already. */
    const play = Effect.fnUntraced(function* (studio: Studio) {
      if ((yield* stored.list(studio.environment.id)).length > 0) return
      const bases = yield* configurations.summaries(studio.environment.id)
      for (const each of experiments) {
        const base = bases.find(({ name }) => name === each.base)
        if (base !== undefined) yield* create(studio, base.id, each)
      }
    })

    return { play } as const
  })
}) {}
