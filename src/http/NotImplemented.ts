import { Effect } from "effect"
import { NotImplemented } from "../../schema/RequestErrors.ts"

/** Answers 501 for an endpoint that is declared and not built yet. */
export const notImplemented = () => Effect.fail(new NotImplemented({ message: "This endpoint is not built yet" }))
