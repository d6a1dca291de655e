import { Schema } from "effect"
import { ApplicationId, ConfigurationId, EnvironmentId } from "../../src/domain/Ids.ts"
import { Json, JsonObject } from "../Json.ts"
import { Creator } from "../access/KeyRecord.ts"
import { optional, withDefault } from "../Optional.ts"
import { elsewhere } from "../Elsewhere.ts"
import { Description, text, Title } from "../Text.ts"
import { example } from "../Example.ts"

/** Keys from the root of a document to a value. Objects are walked, arrays are not. */
export const KeyPath = Schema.NonEmptyArray(text(1, 256)).pipe(Schema.maxItems(32)).annotations({
  identifier: "KeyPath"
})
export type KeyPath = typeof KeyPath.Type

const described = {
  id: ConfigurationId,
  applicationId: ApplicationId,
  environmentId: EnvironmentId,
  name: Schema.String,
  alias: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  privacy: Schema.Array(Schema.Array(Schema.String)),
  schema: Schema.NullOr(JsonObject),
  keyDescriptions: Schema.Record({ key: Schema.String, value: Schema.String }),
  isPrimary: Schema.Boolean,
  hash: Schema.String,
  version: Schema.Int,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc,
  updatedBy: Schema.NullOr(Creator)
}

export const ConfigurationRecord = Schema.Struct({ ...described, configuration: JsonObject }).annotations({
  identifier: "Configuration"
})
export type ConfigurationRecord = typeof ConfigurationRecord.Type

/** A configuration in a list; the document only where it was asked for. */
export const ConfigurationEntry = Schema.Struct({ ...described, configuration: optional(JsonObject) }).annotations({
  identifier: "ConfigurationEntry"
})
export type ConfigurationEntry = typeof ConfigurationEntry.Type

const privacy = Schema.Array(KeyPath).pipe(Schema.maxItems(1000))
const keyDescriptions = Schema.Record({ key: text(1, 1024), value: text(0, 1024) })
const reason = text(0, 500)

const definition = {
  name: Title,
  alias: optional(Schema.NullOr(Title)),
  description: optional(Schema.NullOr(Description)),
  configuration: withDefault(JsonObject, {}),
  privacy: withDefault(privacy, []),
  schema: optional(Schema.NullOr(JsonObject)),
  keyDescriptions: withDefault(keyDescriptions, {})
}

const planned = "a change is live at once, nothing publishes it later"

/** What a change of a configuration does not do. */
const places = {
  isPrimary: "make it the primary one with PUT /v2/configuration/{configurationId}/primary",
  environmentId: "copy it to another environment with POST /v2/configuration/{configurationId}/copy",
  version: "bring an earlier version back with POST /v2/configuration/{configurationId}/revert",
  publishAt: planned,
  scheduledAt: planned
}

export const CreateConfiguration = Schema.Struct({
  ...definition,
  isPrimary: withDefault(Schema.Boolean, false)
})
  .annotations({
    identifier: "CreateConfiguration",
    description: "Without alias it gets its name as a slug, where nobody answers to that; null gives none"
  })
  .pipe(
    example({
      name: "Economy",
      alias: "economy",
      configuration: { shop: { starterPack: { price: 499, gems: 120 }, dailyDeal: true }, drops: { legendary: 0.02 } },
      privacy: [["drops"]],
      keyDescriptions: { "shop.starterPack.price": "In Robux" },
      isPrimary: true
    })
  )
export type CreateConfiguration = typeof CreateConfiguration.Type

export const ReplaceConfiguration = Schema.Struct({
  ...definition,
  configuration: JsonObject,
  baseHash: optional(text(1, 128)),
  reason: optional(reason)
})
  .annotations({
    identifier: "ReplaceConfiguration",
    description: "Without alias it keeps the one that it has, by which games ask for it; null removes it",
    ...elsewhere(places)
  })
  .pipe(
    example({
      name: "Economy",
      alias: "economy",
      configuration: { shop: { starterPack: { price: 499, gems: 150 }, dailyDeal: true }, drops: { legendary: 0.03 } },
      privacy: [["drops"]],
      reason: "Weekend event"
    })
  )
export type ReplaceConfiguration = typeof ReplaceConfiguration.Type

export const ConfigurationChange = Schema.Union(
  Schema.Struct({ op: Schema.Literal("set"), path: KeyPath, value: Json }),
  Schema.Struct({ op: Schema.Literal("remove"), path: KeyPath })
).annotations({ identifier: "ConfigurationChange" })
export type ConfigurationChange = typeof ConfigurationChange.Type

export const PatchConfiguration = Schema.Struct({
  baseHash: optional(text(1, 128)),
  changes: withDefault(Schema.Array(ConfigurationChange).pipe(Schema.maxItems(1000)), []),
  privacy: optional(privacy),
  schema: optional(Schema.NullOr(JsonObject)),
  keyDescriptions: optional(keyDescriptions),
  name: optional(Title),
  alias: optional(Schema.NullOr(Title)),
  description: optional(Schema.NullOr(Description)),
  reason: optional(reason)
})
  .annotations({
    identifier: "PatchConfiguration",
    ...elsewhere({ ...places, configuration: "PATCH takes changes, PUT takes the whole document" })
  })
  .pipe(
    example({
      changes: [
        { op: "set", path: ["shop", "weekendSale"], value: { percent: 20, items: ["Sword of Dawn"] } },
        { op: "remove", path: ["shop", "dailyDeal"] }
      ],
      reason: "The weekend sale takes the place of the daily deal"
    })
  )
export type PatchConfiguration = typeof PatchConfiguration.Type

export const CopyConfiguration = Schema.NullOr(
  Schema.Struct({ name: optional(Title), environmentId: optional(EnvironmentId) }).annotations({
    identifier: "CopyConfiguration"
  })
).pipe(example({ name: "Economy", environmentId: 2 }))
export type CopyConfiguration = typeof CopyConfiguration.Type

export const RevertConfiguration = Schema.Struct({
  version: Schema.Int.pipe(Schema.positive()),
  baseHash: optional(text(1, 128)),
  reason: optional(reason)
})
  .annotations({ identifier: "RevertConfiguration" })
  .pipe(example({ version: 1, reason: "Fewer players bought" }))
export type RevertConfiguration = typeof RevertConfiguration.Type

const versioned = {
  version: Schema.Int,
  hash: Schema.String,
  reason: Schema.NullOr(Schema.String),
  createdAt: Schema.DateTimeUtc,
  createdBy: Schema.NullOr(Creator)
}

export const ConfigurationVersionEntry = Schema.Struct(versioned).annotations({
  identifier: "ConfigurationVersionEntry"
})
export type ConfigurationVersionEntry = typeof ConfigurationVersionEntry.Type

export const ConfigurationVersion = Schema.Struct({
  ...versioned,
  configuration: JsonObject,
  privacy: Schema.Array(Schema.Array(Schema.String))
}).annotations({ identifier: "ConfigurationVersion" })
export type ConfigurationVersion = typeof ConfigurationVersion.Type

const paths = Schema.Array(Schema.Array(Schema.String))
const changedPath = Schema.Array(Schema.String)

export const ConfigurationDiff = Schema.Struct({
  from: Schema.Int,
  to: Schema.Int,
  changes: Schema.Array(
    Schema.Union(
      Schema.Struct({ op: Schema.Literal("set"), path: changedPath, value: Json, previous: optional(Json) }),
      Schema.Struct({ op: Schema.Literal("remove"), path: changedPath, previous: Json })
    )
  ),
  privacy: Schema.Struct({ added: paths, removed: paths })
}).annotations({
  identifier: "ConfigurationDiff",
  description: "A change without `previous` is of a path that was not there"
})
export type ConfigurationDiff = typeof ConfigurationDiff.Type
