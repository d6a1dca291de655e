import { Failure } from "../Failure.ts"

export class PlayerNotFound extends Failure<PlayerNotFound>()("PLAYER_NOT_FOUND", 404) {}
export class QueryNotFound extends Failure<QueryNotFound>()("QUERY_NOT_FOUND", 404) {}
export class ExecutionNotFound extends Failure<ExecutionNotFound>()("EXECUTION_NOT_FOUND", 404) {}
export class HeatmapNotFound extends Failure<HeatmapNotFound>()("HEATMAP_NOT_FOUND", 404) {}
export class ExecutionFinished extends Failure<ExecutionFinished>()("EXECUTION_FINISHED", 409) {}
export class QueryInvalid extends Failure<QueryInvalid>()("QUERY_INVALID", 422) {}
export class FormulaInvalid extends Failure<FormulaInvalid>()("FORMULA_INVALID", 422) {}
export class ArgumentUnknown extends Failure<ArgumentUnknown>()("ARGUMENT_UNKNOWN", 422) {}
export class ReferenceInvalid extends Failure<ReferenceInvalid>()("REFERENCE_INVALID", 422) {}
export class TimeRangeInvalid extends Failure<TimeRangeInvalid>()("TIME_RANGE_INVALID", 422) {}
export class QueryLimitExceeded extends Failure<QueryLimitExceeded>()("QUERY_LIMIT_EXCEEDED", 422) {}
export class QueryTimeout extends Failure<QueryTimeout>()("QUERY_TIMEOUT", 422) {}
