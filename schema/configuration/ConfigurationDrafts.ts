import { Schema } from "effect"
import { example } from "../Example.ts"
import { JsonObject } from "../Json.ts"

export const CheckConfiguration = Schema.Struct({ configuration: JsonObject })
  .annotations({ identifier: "CheckConfiguration" })
  .pipe(example({ configuration: { shop: { starterPack: { price: "free", gems: 120 } } } }))
export type CheckConfiguration = typeof CheckConfiguration.Type

export const ConfigurationProblems = Schema.Struct({
  total: Schema.Int,
  problems: Schema.Array(
    Schema.Struct({
      path: Schema.Array(Schema.String).annotations({
        description: "Keys and indexes that lead to the value; empty where it is the document as a whole"
      }),
      message: Schema.String
    })
  ).annotations({ description: "At most 100 of them" })
}).annotations({ identifier: "ConfigurationProblems" })
export type ConfigurationProblems = typeof ConfigurationProblems.Type
