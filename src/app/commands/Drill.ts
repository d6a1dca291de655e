import { Path } from "@effect/platform"
import { Effect, Layer, Ref } from "effect"
import { scratchFolder } from "../../adapters/sqlite/ScratchFolder.ts"
import { orFailed } from "../../adapters/sqlite/operations/BackupFailed.ts"
import { examine } from "../../adapters/sqlite/operations/Doctor.ts"
import { restore } from "../../adapters/sqlite/operations/Restore.ts"
import { MeaningOfStop } from "../../ports/operations/MeaningOfStop.ts"
import type { BucketSettings } from "../BucketOptions.ts"
import { broughtHere } from "./BackupFiles.ts"
import { defaults } from "../Config.ts"
import { Offline } from "./Offline.ts"

/**
 * Restores a backup into a folder of its own below `within`, starts the stores over it as a server would, and looks at what a start has
 * found. The folder is gone afterwards.
 */
export const drillFrom = Effect.fnUntraced(function* (from: string, within: string, settings: BucketSettings) {
  const path = yield* Path.Path
  const folder = yield* scratchFolder(within, "drill").pipe(orFailed(`${within} cannot take the restored files`))
  // What is restored needs an empty folder.
  const data = path.join(folder, "data")
  const { backup, manifest } = yield* restore({ from: yield* broughtHere(from, settings), data, force: false }).pipe(
    // What is restored here is deleted, and says nothing yet of whether it can be started.
    Effect.provideServiceEffect(MeaningOfStop, Ref.make<string | null>(null))
  )
  yield* Effect.scoped(Layer.build(Offline({ ...defaults, data, snapshot: false })))
  return { backup, manifest, findings: yield* examine(data, false, defaults.retentionDays, true) }
}, Effect.scoped)
