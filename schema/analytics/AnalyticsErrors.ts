import { Schema } from "effect"
import { failure } from "../Errors.ts"

/** What became of the markers of a batch; the four counts are disjoint and add up to what was sent. */
export const ingestCounts = {
  ingestedMarkersCount: Schema.Int,
  rejectedMarkersCount: Schema.Int,
  duplicateMarkersCount: Schema.Int,
  staleMarkersCount: Schema.Int,
  rejectedMarkers: Schema.Array(
    Schema.Struct({
      index: Schema.Int,
      markerId: Schema.NullOr(Schema.String),
      code: Schema.String,
      reason: Schema.String
    })
  )
}

const [fields, status] = failure(400, "INVALID_MARKERS")

/** Every marker of the batch was rejected; the body carries the counts beside the envelope. */
export class InvalidMarkers extends Schema.Class<InvalidMarkers>("InvalidMarkers")(
  { ...fields, ...ingestCounts },
  status
) {
  readonly _tag = "InvalidMarkers"
}

export class QueryInvalid extends Schema.Class<QueryInvalid>("QueryInvalid")(...failure(422, "QUERY_INVALID")) {
  readonly _tag = "QueryInvalid"
}
export class FormulaInvalid extends Schema.Class<FormulaInvalid>("FormulaInvalid")(...failure(422, "FORMULA_INVALID")) {
  readonly _tag = "FormulaInvalid"
}
export class ArgumentUnknown extends Schema.Class<ArgumentUnknown>("ArgumentUnknown")(
  ...failure(422, "ARGUMENT_UNKNOWN")
) {
  readonly _tag = "ArgumentUnknown"
}
export class ReferenceInvalid extends Schema.Class<ReferenceInvalid>("ReferenceInvalid")(
  ...failure(422, "REFERENCE_INVALID")
) {
  readonly _tag = "ReferenceInvalid"
}
export class TimeRangeInvalid extends Schema.Class<TimeRangeInvalid>("TimeRangeInvalid")(
  ...failure(422, "TIME_RANGE_INVALID")
) {
  readonly _tag = "TimeRangeInvalid"
}
export class QueryLimitExceeded extends Schema.Class<QueryLimitExceeded>("QueryLimitExceeded")(
  ...failure(422, "QUERY_LIMIT_EXCEEDED")
) {
  readonly _tag = "QueryLimitExceeded"
}
export class QueryTimeout extends Schema.Class<QueryTimeout>("QueryTimeout")(...failure(422, "QUERY_TIMEOUT")) {
  readonly _tag = "QueryTimeout"
}
export class QueryNotFound extends Schema.Class<QueryNotFound>("QueryNotFound")(...failure(404, "QUERY_NOT_FOUND")) {
  readonly _tag = "QueryNotFound"
}
export class ExecutionNotFound extends Schema.Class<ExecutionNotFound>("ExecutionNotFound")(
  ...failure(404, "EXECUTION_NOT_FOUND")
) {
  readonly _tag = "ExecutionNotFound"
}
export class ExecutionFinished extends Schema.Class<ExecutionFinished>("ExecutionFinished")(
  ...failure(409, "EXECUTION_FINISHED")
) {
  readonly _tag = "ExecutionFinished"
}
export class HeatmapNotFound extends Schema.Class<HeatmapNotFound>("HeatmapNotFound")(
  ...failure(404, "HEATMAP_NOT_FOUND")
) {
  readonly _tag = "HeatmapNotFound"
}

export class CohortNotFound extends Schema.Class<CohortNotFound>("CohortNotFound")(
  ...failure(404, "COHORT_NOT_FOUND")
) {
  readonly _tag = "CohortNotFound"
}
export class CohortNameTaken extends Schema.Class<CohortNameTaken>("CohortNameTaken")(
  ...failure(409, "COHORT_NAME_TAKEN")
) {
  readonly _tag = "CohortNameTaken"
}
export class CohortInUse extends Schema.Class<CohortInUse>("CohortInUse")(...failure(409, "COHORT_IN_USE")) {
  readonly _tag = "CohortInUse"
}
export class CohortCycle extends Schema.Class<CohortCycle>("CohortCycle")(...failure(422, "COHORT_CYCLE")) {
  readonly _tag = "CohortCycle"
}
