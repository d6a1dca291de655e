import { Data } from "effect"

/** The database of the metadata cannot be reached, or takes no work now; a defect. The same request may succeed a moment later. */
export class MetadataUnavailable extends Data.TaggedError("MetadataUnavailable") {
  override readonly message = "The database of the metadata cannot be reached"
}
