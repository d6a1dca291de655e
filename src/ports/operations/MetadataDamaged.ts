import { Data } from "effect"

/** A row of the metadata that the answer needs is not as it was written, or cannot be read at all; a defect, which the log names. */
export class MetadataDamaged extends Data.TaggedError("MetadataDamaged") {
  override readonly message = "A row of the metadata is damaged"
}
