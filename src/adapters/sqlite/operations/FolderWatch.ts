import { Effect, Layer } from "effect"
import { FilePlace } from "../FilePlace.ts"
import type { DataFiles } from "../DataFolder.ts"

/** How often the folder is looked at while nothing is written. */
const interval = "1 second"

/** Says in the log when the data folder is deleted, moved or replaced under the server, and when it is back. Writes are refused meanwhile. */
export const FolderWatch = ({ metadata, events }: DataFiles) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const places = [new FilePlace(metadata), new FilePlace(events)]
      let wasLost = false
      const look = Effect.suspend(() => {
        const isLost = places.some((place) => place.isLost())
        if (isLost === wasLost) return Effect.void
        wasLost = isLost
        return isLost
          ? Effect.logError(
              `The data folder was deleted, moved or replaced: ${metadata} or ${events} is not the file that this server has open. Every write is refused until it is back; stop the server and restore a backup if it is gone`
            )
          : Effect.logWarning("The data folder is back, and writes are taken again")
      })
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(look, Effect.sleep(interval))))
    })
  )
