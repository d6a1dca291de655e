import { Effect } from "effect"
import type { MetadataChange } from "../../../schema/analytics/Markers.ts"
import { MarkerRepo } from "../../ports/analytics/MarkerRepo.ts"
import { Markers } from "../analytics/Markers.ts"
import type { Studio } from "./DemoStudio.ts"

const type = (name: string, description: string) => ({ name, description })

const descriptions: MetadataChange = {
  types: [
    type("Install", "The first start of the game on a device"),
    type("Login", "A session begins"),
    type("TutorialStep", "One step of the tutorial is done"),
    type("TutorialCompleted", "All steps of the tutorial are done"),
    type("LevelStarted", "A level begins, once for each attempt"),
    type("LevelCompleted", "A level is won"),
    type("PlayerDied", "The player died, at the place where it happened"),
    type("ShopOpened", "The player looks at the shop"),
    type("Purchase", "A purchase that the store of the platform has confirmed"),
    type("AdWatched", "An advertisement was watched to its end"),
    type("Logout", "A session ends"),
    type("FriendInvited", "Planned for version 1.7: a player invites a friend")
  ],
  arguments: [
    { type: "Purchase", name: "price", description: "What the player paid", unit: "USD", decimals: 2 },
    { type: "Purchase", name: "sku", description: "The product, as the store names it" },
    { type: "Logout", name: "seconds", description: "The length of the session", unit: "s" },
    { type: "LevelCompleted", name: "seconds", description: "The time that the level took", unit: "s" },
    { type: "PlayerDied", name: "cause", description: "lava, spikes, boss, fall or wolf" },
    { type: "Login", name: "source", description: "The campaign that brought the player to the game" }
  ]
}

/** What the demo's studio says of its markers, one of which has never arrived. */
export class DemoDescriptions extends Effect.Service<DemoDescriptions>()("services/demo/DemoDescriptions", {
  effect: Effect.gen(function* () {
    const markers = yield* Markers
    const repo = yield* MarkerRepo

    /** Where nothing is described yet. */
    const play = Effect.fnUntraced(function* ({ applicationId, environment }: Studio) {
      if ((yield* repo.metadata(environment.id)).types.length > 0) return
      yield* markers.setMetadata({ applicationId, environmentId: environment.id }, descriptions)
    })

    return { play } as const
  })
}) {}
