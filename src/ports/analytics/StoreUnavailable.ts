import { Data } from "effect"

/** The database that answers questions cannot be reached; a defect, like `StoreLost`. Events may be appended all the same. */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{ readonly message: string }> {}
