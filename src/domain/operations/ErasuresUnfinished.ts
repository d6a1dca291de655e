import { Data } from "effect"

/** How many erasures are left to be tried again. */
export class ErasuresUnfinished extends Data.TaggedError("ErasuresUnfinished")<{ readonly message: string }> {}
