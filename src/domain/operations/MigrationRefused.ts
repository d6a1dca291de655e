import { Data } from "effect"

/** A migration into databases cannot begin or go on; the message says why, and what to do, in plain words. */
export class MigrationRefused extends Data.TaggedError("MigrationRefused")<{ readonly message: string }> {}
