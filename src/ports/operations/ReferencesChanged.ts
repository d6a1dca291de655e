import { Data } from "effect"

/**
 * A row that is being written names another that somebody else has removed meanwhile, or one that is being removed is named by a new one; a
 * defect. Whoever asks again is told what is so.
 */
export class ReferencesChanged extends Data.TaggedError("ReferencesChanged") {}
