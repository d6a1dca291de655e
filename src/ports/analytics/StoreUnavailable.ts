import { Data } from "effect"

/** A database that stores markers gives no answer, so that nothing can be asked until it does; a defect, like `StoreLost`. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{ readonly message: string }> {}
