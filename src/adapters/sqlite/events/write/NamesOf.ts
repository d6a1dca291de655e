import { NamesByType, type TypeNames } from "../../../../domain/ingest/NamesByType.ts"
import type { StoredCatalogue } from "../file/StoredCatalogue.ts"
import { FrameDecoder } from "../format/FrameDecoder.ts"
import { decodeTailBatch } from "../format/TailBatch.ts"

/** The marker types of an environment and the names that they have had, in the catalogue and in the batches of the tail. */
export const namesOf = (
  environmentId: number,
  catalogue: StoredCatalogue,
  tail: Iterable<{ readonly data: Uint8Array }>
): ReadonlyArray<TypeNames> => {
  const names = new NamesByType()
  catalogue.addNames(environmentId, names)
  for (const { data } of tail)
    for (const part of decodeTailBatch(data)) {
      if (part.environmentId !== environmentId) continue
      for (const { type, argumentNames, propertyNames } of new FrameDecoder(part.frame).shapes)
        names.add(type, argumentNames, propertyNames)
    }
  return names.list()
}
