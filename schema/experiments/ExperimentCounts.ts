import { Schema } from "effect"
import { ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { ExperimentStatus } from "./ExperimentRecord.ts"
import { Scalar } from "../analytics/Filters.ts"
import { oneOf } from "../Optional.ts"

/** An experiment as a query's picker shows it. */
export const CatalogEntry = Schema.Struct({
  id: ExperimentId,
  name: Schema.String,
  status: ExperimentStatus,
  groups: Schema.Array(Schema.Struct({ id: ExperimentGroupId, name: Schema.String })),
  startsAt: Schema.DateTimeUtc,
  endsAt: Schema.NullOr(Schema.DateTimeUtc)
}).annotations({ identifier: "ExperimentCatalogEntry" })
export type CatalogEntry = typeof CatalogEntry.Type

export const ExperimentCount = Schema.Struct({ experimentId: ExperimentId, count: Schema.Int }).annotations({
  identifier: "ExperimentCount"
})
export type ExperimentCount = typeof ExperimentCount.Type

export const GroupCount = Schema.Struct({
  groupId: ExperimentGroupId,
  count: Schema.Int,
  active: Schema.Int,
  unenrolled: Schema.Int
}).annotations({ identifier: "ExperimentGroupCount" })
export type GroupCount = typeof GroupCount.Type

export const ContextProperty = Schema.Struct({
  name: Schema.String,
  dataType: oneOf("string", "number", "boolean", "array"),
  values: Schema.Array(Scalar),
  lastSeenAt: Schema.DateTimeUtc
}).annotations({ identifier: "ContextProperty", description: "`values` are the 20 most frequent" })
export type ContextProperty = typeof ContextProperty.Type
