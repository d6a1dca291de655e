import { DateTime, Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import { BackupFolder, BackupUnmade, type KnownBackup } from "../../../ports/operations/BackupFolder.ts"
import { isInBucket } from "../../../domain/operations/BucketAddress.ts"
import type { BackupFailed } from "./BackupFailed.ts"
import { installationIn } from "./FileCounts.ts"
import { said } from "./OwnProgram.ts"
import type { StoredBackup } from "./StoredBackup.ts"

const done = (args: ReadonlyArray<string>) => Effect.mapError(said(args), (message) => new BackupUnmade({ message }))

const known = ({ name, manifest: { instant, version, damage, files } }: StoredBackup): KnownBackup => ({
  id: name,
  instant: DateTime.toEpochMillis(instant),
  bytes: files.metadata.stored.bytes + files.events.stored.bytes,
  markers: files.events.counts["markers"] ?? 0,
  version,
  isDamaged: damage.length > 0
})

interface BackupPlan {
  readonly data: string
  readonly to: string
  readonly keep: number
  /** What else the command is told of the place. */
  readonly more: ReadonlyArray<string>
  /** The complete backups there. */
  readonly all: Effect.Effect<ReadonlyArray<StoredBackup>, BackupFailed>
}

/** Backs the data folder up by the command `backup`, and tries backups by the command `drill`. */
export const BackupProcess = ({ data, to, keep, more, all }: BackupPlan) =>
  Layer.succeed(BackupFolder, {
    place: to,
    refusal: "",
    list: Effect.gen(function* () {
      // The command makes the folder.
      if (!isInBucket(to) && !existsSync(to)) return []
      const own = yield* installationIn(data)
      return (yield* all).filter(({ manifest }) => manifest.installation === own).map(known)
    }).pipe(
      Effect.mapError(
        (cause) => new BackupUnmade({ message: "message" in cause ? String(cause.message) : String(cause) })
      )
    ),
    make: done(["backup", "--data", data, "--to", to, "--keep", String(keep), ...more]),
    drill: (id) => done(["drill", "--from", `${to.replace(/\/+$/, "")}/${id}`, ...more])
  })
