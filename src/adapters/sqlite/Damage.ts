import { Effect } from "effect"
import { MetadataDamaged } from "../../ports/operations/MetadataDamaged.ts"

/** The defect for a file that SQLite finds to be damaged, which the log names. */
export const damaged = (cause: unknown): Effect.Effect<never> =>
  Effect.zipRight(
    Effect.logError("metadata.sqlite is damaged: put back both files of one backup", cause),
    Effect.die(new MetadataDamaged())
  )
