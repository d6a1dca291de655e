import { Effect, Schema } from "effect"
import { CreateConfiguration, PatchConfiguration } from "../../../schema/configuration/ConfigurationRecord.ts"
import type { ConfigurationId } from "../../domain/Ids.ts"
import { dayMillis, hourMillis } from "../../domain/Durations.ts"
import { ConfigurationRepo } from "../../ports/configuration/ConfigurationRepo.ts"
import { Configurations } from "../configuration/Configurations.ts"
import type { Studio } from "./DemoStudio.ts"
import { asOf } from "./Past.ts"

const price = { type: "number", minimum: 0, maximum: 100 }

const economy: typeof CreateConfiguration.Encoded = {
  name: "Economy",
  description: "What things cost, and what players find",
  configuration: {
    shop: {
      starterPack: { price: 1.99, gems: 120 },
      gems: { small: { price: 4.99, gems: 100 }, large: { price: 19.99, gems: 500 } },
      seasonPass: { price: 9.99, levels: 50 }
    },
    rewards: { daily: 15, firstWin: 40 },
    drops: { rare: 0.08, legendary: 0.01 }
  },
  privacy: [["drops"]],
  schema: {
    type: "object",
    required: ["shop", "rewards", "drops"],
    properties: {
      shop: {
        type: "object",
        properties: {
          starterPack: { type: "object", required: ["price"], properties: { price, gems: { type: "integer" } } },
          seasonPass: { type: "object", properties: { price, levels: { type: "integer", minimum: 1 } } }
        }
      },
      rewards: { type: "object", additionalProperties: { type: "integer", minimum: 0 } },
      drops: { type: "object", additionalProperties: { type: "number", minimum: 0, maximum: 1 } }
    }
  },
  keyDescriptions: {
    "shop.starterPack.price": "In US dollars, before tax",
    "rewards.daily": "Gems for the first login of a day",
    "drops.legendary": "The chance of one chest; players do not see it"
  }
}

const onboarding: typeof CreateConfiguration.Encoded = {
  name: "Onboarding",
  description: "A player's first minutes",
  configuration: { tutorial: { steps: 5, skippable: false }, firstChest: { gems: 25 } },
  schema: {
    type: "object",
    properties: { tutorial: { type: "object", properties: { steps: { type: "integer", minimum: 1, maximum: 10 } } } }
  },
  keyDescriptions: { "tutorial.steps": "How many steps the tutorial has" }
}

const interfaces: typeof CreateConfiguration.Encoded = {
  name: "Interface",
  description: "Menus and what is in them",
  configuration: { menu: { layout: "tabs", showFriends: true }, hints: { afterDeaths: 3 } },
  schema: {
    type: "object",
    properties: { menu: { type: "object", properties: { layout: { enum: ["tabs", "tiles"] } } } }
  },
  keyDescriptions: { "menu.layout": "tabs or tiles" }
}

const game = (economyId: ConfigurationId, onboardingId: ConfigurationId): typeof CreateConfiguration.Encoded => ({
  name: "Game",
  description: "What the game asks for when it starts",
  isPrimary: true,
  configuration: {
    season: { name: "Embers", number: 3 },
    difficulty: { lavaSpeed: 1.4, wolves: 6, bossHealth: 900 },
    shop: { $link: { configurationId: economyId, path: ["shop"] } },
    tutorial: { $link: { configurationId: onboardingId, path: ["tutorial"] } },
    server: { matchmakingUrl: "https://match.island-run.example", maxPing: 120 }
  },
  privacy: [["server"]],
  keyDescriptions: { "difficulty.lavaSpeed": "In metres a second", "server.maxPing": "In milliseconds" }
})

type Change = readonly [day: number, change: typeof PatchConfiguration.Encoded]

const economyChanges: ReadonlyArray<Change> = [
  [6, { changes: [{ op: "set", path: ["rewards", "daily"], value: 20 }], reason: "Players run out of gems on day 3" }],
  [11, { changes: [{ op: "set", path: ["drops", "legendary"], value: 0.02 }], reason: "Season 3 opens" }],
  [
    27,
    {
      changes: [
        { op: "set", path: ["rewards", "weekend"], value: 60 },
        { op: "set", path: ["drops", "rare"], value: 0.1 }
      ],
      reason: "A weekend with more to find"
    }
  ],
  [30, { changes: [{ op: "remove", path: ["rewards", "weekend"] }], reason: "The weekend is over" }]
]

const gameChanges: ReadonlyArray<Change> = [
  [4, { changes: [{ op: "set", path: ["difficulty", "bossHealth"], value: 760 }], reason: "Too few beat the boss" }],
  [15, { changes: [{ op: "set", path: ["difficulty", "wolves"], value: 4 }], reason: "Version 1.4 has smaller woods" }],
  [
    22,
    {
      changes: [{ op: "set", path: ["difficulty", "lavaSpeed"], value: 1.1 }],
      reason: "Half of all deaths are in the lava"
    }
  ],
  [33, { changes: [{ op: "set", path: ["season"], value: { name: "Tides", number: 4 } }], reason: "Season 4 opens" }]
]

/** A busy machine may miss the time within which a schema is checked; a write that was refused has changed nothing and is tried again. */
const patient = <A, E extends { readonly _tag: string }, R>(write: Effect.Effect<A, E, R>) =>
  Effect.retry(write, { times: 4, while: ({ _tag }) => _tag === "ConfigurationInvalid" })

/** The demo's configurations: a primary one that links to others, with schemas, private keys and a history of versions. */
export class DemoConfigurations extends Effect.Service<DemoConfigurations>()("services/demo/DemoConfigurations", {
  effect: Effect.gen(function* () {
    const configurations = yield* Configurations
    const stored = yield* ConfigurationRepo

    const create = Effect.fnUntraced(function* (
      studio: Studio,
      day: number,
      request: typeof CreateConfiguration.Encoded
    ) {
      const { applicationId, environment, firstDay } = studio
      const decoded = yield* Schema.decode(CreateConfiguration)(request)
      const creating = configurations.create({ applicationId, environmentId: environment.id }, decoded)
      return (yield* asOf((firstDay + day) * dayMillis + 10 * hourMillis)(patient(creating))).id
    })

    const change = Effect.fnUntraced(function* (studio: Studio, id: ConfigurationId, [day, request]: Change) {
      const { applicationId, environment, firstDay } = studio
      const decoded = yield* Schema.decode(PatchConfiguration)(request)
      const changing = configurations.patch({ applicationId, environmentId: environment.id }, id, decoded)
      yield* asOf((firstDay + day) * dayMillis + 14 * hourMillis)(patient(changing))
    })

    /** Makes the configurations, unless the studio has one already. */
    const play = Effect.fnUntraced(function* (studio: Studio) {
      if ((yield* stored.summaries(studio.environment.id)).length > 0) return
      const economyId = yield* create(studio, 0, economy)
      const onboardingId = yield* create(studio, 0, onboarding)
      yield* create(studio, 1, interfaces)
      const gameId = yield* create(studio, 1, game(economyId, onboardingId))
      for (const one of economyChanges) yield* change(studio, economyId, one)
      for (const one of gameChanges) yield* change(studio, gameId, one)
    })

    return { play } as const
  })
}) {}
