import { FileSystem, Path } from "@effect/platform"
import { Array, Clock, Duration, Effect, Schema } from "effect"
import { type BackupManifest, type Digest, isBackupName } from "../../domain/operations/Backup.ts"
import { BackupFailed, orFailed } from "../sqlite/operations/BackupFailed.ts"
import {
  backedUp,
  counted,
  manifestName,
  manifestOf,
  ManifestText,
  rotationOf
} from "../sqlite/operations/StoredBackup.ts"
import type { Bucket } from "./Bucket.ts"

export { openBucket } from "./Bucket.ts"

const fileOf = (name: (typeof backedUp)[number]): string => `${name}.sqlite.gz`

/** A store that does not answer keeps nobody who stops, or whose upload has failed, waiting for longer. */
const longestCleaning = Duration.seconds(5)

/** After this time the files of a backup without its list of contents are the rest of a process that has ended. */
const abandonedAfter = Duration.days(1)

const isSame = (left: Digest, right: Digest): boolean => left.bytes === right.bytes && left.sha256 === right.sha256

/** Name and contents of the complete backups in a bucket, oldest first. */
export const completeIn = Effect.fnUntraced(function* (bucket: Bucket) {
  const suffix = `/${manifestName}`
  const names = (yield* bucket.names)
    .filter((name) => name.endsWith(suffix))
    .map((name) => name.slice(0, -suffix.length))
  const found = yield* Effect.forEach(
    names.filter(isBackupName).sort(),
    // A store that has too much to do for a moment must not make an older backup the newest.
    (name) =>
      Effect.flatMap(bucket.textIfGiven(`${name}${suffix}`), (text) =>
        counted(bucket.where, name, Effect.flatMap(text, Schema.decode(ManifestText)))
      ),
    { concurrency: 8 }
  )
  return Array.getSomes(found)
})

/** Deletes what processes have left that were killed while they brought a backup into the bucket. */
const removeAbandonedIn = Effect.fnUntraced(function* (bucket: Bucket) {
  const [objects, now] = yield* Effect.all([bucket.objects, Clock.currentTimeMillis])
  const there = new Set(objects.map(({ name }) => name))
  for (const { name, writtenAt } of objects) {
    const [backup = "", file = ""] = name.split("/")
    if (!isBackupName(backup) || !backedUp.some((each) => file === fileOf(each))) continue
    const isAbandoned = now - writtenAt > Duration.toMillis(abandonedAfter)
    if (isAbandoned && !there.has(`${backup}/${manifestName}`)) yield* bucket.remove(name)
  }
})

const bringFiles = Effect.fnUntraced(function* (
  bucket: Bucket,
  folder: string,
  name: string,
  { files }: BackupManifest
) {
  const path = yield* Path.Path
  for (const each of backedUp) {
    const { stored } = files[each]
    const key = `${name}/${fileOf(each)}`
    yield* bucket.putFile(key, path.join(folder, fileOf(each)), stored.bytes)
    if (!isSame(yield* bucket.digest(key), stored))
      return yield* new BackupFailed({ message: `${bucket.where}${key} is not what was written` })
  }
})

/**
 * Brings a backup from a folder into a bucket: its files, which are read back and compared with the checksums, and then the list of
 * contents, without which it does not count. What an upload of files that fails has written is deleted, as far as the key may. Where it is
 * the list that fails, the files stay: it may have arrived all the same, and if not they are deleted like those of killed processes.
 */
export const upload = Effect.fnUntraced(function* (bucket: Bucket, folder: string, name: string) {
  const path = yield* Path.Path
  const files = yield* FileSystem.FileSystem
  yield* Effect.ignoreLogged(removeAbandonedIn(bucket))
  const manifest = yield* manifestOf(folder)
  yield* bringFiles(bucket, folder, name, manifest).pipe(
    Effect.onError(() =>
      Effect.forEach(backedUp, (each) => Effect.ignore(bucket.remove(`${name}/${fileOf(each)}`)), {
        discard: true
      }).pipe(Effect.interruptible, Effect.timeoutOption(longestCleaning))
    )
  )
  const text = yield* files.readFileString(path.join(folder, manifestName)).pipe(orFailed(`${folder} cannot be read`))
  yield* bucket.putText(`${name}/${manifestName}`, text)
  return manifest
})

/** Brings a backup from a bucket into a folder, which it makes. */
export const download = Effect.fnUntraced(function* (
  bucket: Bucket,
  { name, manifest }: { readonly name: string; readonly manifest: BackupManifest },
  folder: string
) {
  const path = yield* Path.Path
  const files = yield* FileSystem.FileSystem
  yield* files.makeDirectory(folder, { mode: 0o700 }).pipe(orFailed(`${folder} cannot be made`))
  for (const each of backedUp) {
    const key = `${name}/${fileOf(each)}`
    const found = yield* bucket.getFile(key, path.join(folder, fileOf(each)))
    if (!isSame(found, manifest.files[each].stored))
      return yield* new BackupFailed({ message: `${bucket.where}${key} is damaged: it is not what was written` })
  }
  const text = yield* Effect.orDie(Schema.encode(ManifestText)(manifest))
  yield* files.writeFileString(path.join(folder, manifestName), text).pipe(orFailed(`${folder} cannot be written`))
})

/** Deletes the oldest backups of the installation, so that `keep` stay; answers their names, and those that are dated ahead of the clock. */
export const rotateIn = Effect.fnUntraced(function* (bucket: Bucket, installation: string | null, keep: number) {
  const rotation = yield* rotationOf(yield* completeIn(bucket), installation, keep)
  // Without its list of contents a backup counts no more, so that none is ever half deleted.
  for (const name of rotation.removed) {
    yield* bucket.remove(`${name}/${manifestName}`)
    for (const each of backedUp) yield* bucket.remove(`${name}/${fileOf(each)}`)
  }
  return rotation
})
