import { Context } from "effect"
import type { Watch } from "../../ports/analytics/EventStore.ts"

/** Who follows the questions that an effect asks; nobody unless one is provided. */
export class QueryWatch extends Context.Reference<QueryWatch>()("services/analytics/QueryWatch", {
  defaultValue: (): Watch => () => undefined
}) {}
