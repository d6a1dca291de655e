import { Schema } from "effect"
import { Instant } from "../Instant.ts"
import { basedOn as ofState } from "../BasedOn.ts"
import { oneOf } from "../Optional.ts"
import { example } from "../Example.ts"

export const Percent = Schema.JsonNumber.pipe(Schema.between(0, 100))

export const RolloutPlan = Schema.Array(Schema.Struct({ at: Instant, percent: Percent })).pipe(Schema.maxItems(100))

/** Share of units that may be enrolled, in percent, and how it is planned to change. */
export const RolloutRecord = Schema.Struct({
  percent: Schema.Number,
  status: oneOf("idle", "ramping", "paused"),
  steps: Schema.Array(
    Schema.Struct({
      at: Schema.DateTimeUtc,
      percent: Schema.Number,
      state: oneOf("pending", "applied", "skipped")
    })
  ),
  history: Schema.Array(
    Schema.Struct({
      at: Schema.DateTimeUtc,
      action: oneOf("set", "step", "advance", "pause", "resume", "replaceSteps"),
      percent: Schema.Number
    })
  )
}).annotations({ identifier: "Rollout" })
export type RolloutRecord = typeof RolloutRecord.Type

const basedOn = ofState.annotations({
  description:
    "`updatedAt` of the experiment that the change was made on. Another one by now, be it by a step of the plan, refuses it."
})

export const RolloutChange = Schema.Union(
  Schema.Struct({ action: Schema.Literal("set"), percent: Percent, basedOn }),
  Schema.Struct({ action: Schema.Literal("advance"), basedOn }),
  Schema.Struct({ action: Schema.Literal("pause"), basedOn }),
  Schema.Struct({ action: Schema.Literal("resume"), basedOn }),
  Schema.Struct({ action: Schema.Literal("replaceSteps"), steps: RolloutPlan, basedOn })
)
  .annotations({ identifier: "RolloutChange", description: "Lowering the percent evicts no one" })
  .pipe(example({ action: "set", percent: 50 }))
export type RolloutChange = typeof RolloutChange.Type
