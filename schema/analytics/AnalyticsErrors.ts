import { Failure } from "../Failure.ts"

export class PlayerNotFound extends Failure<PlayerNotFound>()(
  "PLAYER_NOT_FOUND",
  404,
  "Nothing is known of a player of that id in the environment."
) {}
export class QueryNotFound extends Failure<QueryNotFound>()(
  "QUERY_NOT_FOUND",
  404,
  "The project has no saved query of that id."
) {}
export class QueryChanged extends Failure<QueryChanged>()(
  "QUERY_CHANGED",
  409,
  "Somebody has changed the saved query since the state on which the request is based."
) {}
export class SavedQueryLimitReached extends Failure<SavedQueryLimitReached>()(
  "SAVED_QUERY_LIMIT_REACHED",
  409,
  "The project has as many saved queries as it may have, or as large ones."
) {}
export class BoardNotFound extends Failure<BoardNotFound>()(
  "BOARD_NOT_FOUND",
  404,
  "The project has no board of that id."
) {}
export class BoardLimitReached extends Failure<BoardLimitReached>()(
  "BOARD_LIMIT_REACHED",
  409,
  "The project has as many boards as it may have."
) {}
export class HeatmapLimitReached extends Failure<HeatmapLimitReached>()(
  "HEATMAP_LIMIT_REACHED",
  409,
  "The project has as many heatmaps as it may have."
) {}
export class DescriptionLimitReached extends Failure<DescriptionLimitReached>()(
  "DESCRIPTION_LIMIT_REACHED",
  409,
  "The environment describes as many marker types, or arguments of them, as it may have."
) {}
export class BoardChanged extends Failure<BoardChanged>()(
  "BOARD_CHANGED",
  409,
  "Somebody has changed the board since the state on which the request is based."
) {}
export class ExecutionNotFound extends Failure<ExecutionNotFound>()(
  "EXECUTION_NOT_FOUND",
  404,
  "The saved query has no execution of that id."
) {}
export class HeatmapNotFound extends Failure<HeatmapNotFound>()(
  "HEATMAP_NOT_FOUND",
  404,
  "The project has no heatmap of that id."
) {}
export class ExecutionFinished extends Failure<ExecutionFinished>()(
  "EXECUTION_FINISHED",
  409,
  "The execution has ended, so it cannot be cancelled."
) {}
export class QueryInvalid extends Failure<QueryInvalid>()(
  "QUERY_INVALID",
  422,
  "Parts of the query contradict each other."
) {}
export class FormulaInvalid extends Failure<FormulaInvalid>()(
  "FORMULA_INVALID",
  422,
  "A formula cannot be read, or names a metric that is not there."
) {}
export class ReferenceInvalid extends Failure<ReferenceInvalid>()(
  "REFERENCE_INVALID",
  422,
  "The query names a cohort or an experiment that the environment does not have."
) {}
export class TimeRangeInvalid extends Failure<TimeRangeInvalid>()(
  "TIME_RANGE_INVALID",
  422,
  "The time range ends before it begins, or has too many steps."
) {}
export class QueryLimitExceeded extends Failure<QueryLimitExceeded>()(
  "QUERY_LIMIT_EXCEEDED",
  422,
  "The query asks for more metrics, groups or rows than one query may."
) {}
export class TooManyQueries extends Failure<TooManyQueries>()(
  "TOO_MANY_QUERIES",
  429,
  "Too many queries of the organization wait for their turn; the header Retry-After says when to come back."
) {
  /** Sent as the header `Retry-After`, never in the body. */
  readonly retryAfterSeconds = 1
}
export class QueryTimeout extends Failure<QueryTimeout>()(
  "QUERY_TIMEOUT",
  422,
  "The query took longer than its time budget, in which the wait for its turn does not count, or needed more memory than a query may have."
) {}
