import { Schema } from "effect"
import { ConfigurationId, ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { AssignmentSource } from "../experiments/AssignmentRecord.ts"
import { Json, JsonObject } from "../Json.ts"
import { optional } from "../Optional.ts"

const path = Schema.Array(Schema.String)

export const PlayerConfiguration = Schema.Struct({
  unitId: Schema.String,
  configurationId: ConfigurationId,
  configuration: JsonObject.annotations({
    description: "As a game server gets it: links resolved, private keys included"
  }),
  privacy: Schema.Array(path),
  experiments: Schema.Array(
    Schema.Struct({
      experimentId: ExperimentId,
      experimentName: Schema.String,
      groupId: Schema.NullOr(ExperimentGroupId).annotations({
        description: "Null where groups take turns and the player has none yet"
      }),
      groupName: Schema.NullOr(Schema.String),
      source: AssignmentSource,
      isAssigned: Schema.Boolean.annotations({
        description: "False where the next question of the game would assign the player"
      })
    })
  ),
  changes: Schema.Array(Schema.Struct({ path, experimentId: ExperimentId, previous: optional(Json) })).annotations({
    description:
      "What experiments set or delete; all the rest is the base. `previous` is the base's value where it has one"
  })
}).annotations({
  identifier: "PlayerConfiguration",
  description: [
    "A configuration as a player gets it. Nobody is enrolled or exposed by the question. Conditions of experiments are judged by the",
    "latest properties of the player's markers; experiments on game servers are left out"
  ].join(" ")
})
export type PlayerConfiguration = typeof PlayerConfiguration.Type
