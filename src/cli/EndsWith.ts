import { Data } from "effect"

/** Ends the command with this exit code; everything there was to say has been printed. */
export class EndsWith extends Data.TaggedError("EndsWith")<{ readonly exitCode: number }> {}
