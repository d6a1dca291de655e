import { Effect } from "effect"
import type { NamedConfiguration } from "../../schema/LegacyRecords.ts"
import type { GameRequest } from "./GameAccess.ts"
import { SdkConfigurations } from "./SdkConfigurations.ts"

/** What games of earlier generations read. */
export class SdkLegacy extends Effect.Service<SdkLegacy>()("services/SdkLegacy", {
  effect: Effect.gen(function* () {
    const configurations = yield* SdkConfigurations

    /** A configuration by name as a player gets it; without a player as everyone does. One experiment is all that these games know of. */
    const configuration = Effect.fn("SdkLegacy.configuration")(function* (
      request: GameRequest,
      name: string,
      distinctId: string | undefined
    ) {
      const unit = distinctId === undefined ? undefined : { type: "user" as const, distinctId, context: {} }
      const { entry, configuration, assignments } = yield* configurations.forUnit(request, name, unit)
      const [first] = assignments
      return {
        name: entry.name,
        configuration,
        experiment: first === undefined ? null : { id: first.experimentId, group: first.groupName }
      } satisfies NamedConfiguration
    })

    return { configuration } as const
  })
}) {}
