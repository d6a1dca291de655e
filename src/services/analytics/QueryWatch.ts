import { Context } from "effect"
import type { ProgressListener } from "../../ports/analytics/EventStore.ts"

/** Who follows the questions that an effect asks; nobody unless one is provided. */
export class QueryWatch extends Context.Reference<QueryWatch>()("services/analytics/QueryWatch", {
  defaultValue: (): ProgressListener => () => undefined
}) {}
