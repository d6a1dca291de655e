import { Context, type Tracer } from "effect"

/** The span of the request that is being answered; null outside of one, and where none is recorded. */
export class RequestSpan extends Context.Reference<RequestSpan>()("services/operations/RequestSpan", {
  defaultValue: (): Tracer.Span | null => null
}) {}
