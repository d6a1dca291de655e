import { FileSystem, Path } from "@effect/platform"
import type { PlatformError } from "@effect/platform/Error"
import { Config, Effect, Option, Ref } from "effect"
import { tmpdir } from "node:os"
import { reasonOf } from "../../adapters/local/ReasonOf.ts"
import { scratchFolder } from "../../adapters/sqlite/ScratchFolder.ts"
import { demandDataFolder } from "../../adapters/sqlite/DataFolder.ts"
import { backUp } from "../../adapters/sqlite/operations/Backup.ts"
import { BackupFailed, orFailed } from "../../adapters/sqlite/operations/BackupFailed.ts"
import { restore } from "../../adapters/sqlite/operations/Restore.ts"
import { completeBackups, newestIn, untouched } from "../../adapters/sqlite/operations/StoredBackup.ts"
import { isBackupName, nameAmongOthers } from "../../domain/operations/Backup.ts"
import { bucketAddressOf, isInBucket } from "../../domain/operations/BucketAddress.ts"
import { ifStopped, MeaningOfStop } from "../../ports/operations/MeaningOfStop.ts"
import { version } from "../../services/operations/System.ts"
import type { BucketSettings } from "../BucketOptions.ts"
import { variable } from "../SettingKinds.ts"

/** The first of these variables that is not empty: a file for containers passes on empty ones that nobody has set. */
const firstOf = (own: string, ofAws: string) =>
  Config.orElse(Config.nonEmptyString(own), () => Config.nonEmptyString(ofAws))

/** What AWS's own tools read counts where nothing else is set. Keys for some hours, as roles and single sign-on of AWS give, have a token. */
const credentials = Config.all({
  accessKeyId: firstOf(variable("s3-access-key-id"), "AWS_ACCESS_KEY_ID"),
  secretAccessKey: Config.redacted(firstOf(variable("s3-secret-access-key"), "AWS_SECRET_ACCESS_KEY")),
  own: Config.option(Config.nonEmptyString(variable("s3-access-key-id"))),
  ownToken: Config.option(Config.redacted(Config.nonEmptyString(variable("s3-session-token")))),
  awsToken: Config.option(Config.redacted(Config.nonEmptyString("AWS_SESSION_TOKEN")))
}).pipe(
  // The token of AWS's variables belongs to their key, and makes another one invalid.
  Config.map(({ own, ownToken, awsToken, ...key }) => ({
    ...key,
    sessionToken: Option.getOrNull(Option.isSome(own) ? ownToken : Option.orElse(ownToken, () => awsToken))
  }))
)

const missingKey =
  "A bucket needs GAMEKEEPER_S3_ACCESS_KEY_ID and GAMEKEEPER_S3_SECRET_ACCESS_KEY, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"

const s3 = Effect.promise(() => import("../../adapters/s3/BackupBucket.ts"))

/** The bucket that an address names, reached with the key of the environment. */
export const bucketAt = Effect.fnUntraced(function* (folder: string, { s3Endpoint, s3Region }: BucketSettings) {
  const address = bucketAddressOf(folder)
  if (address === undefined) {
    return yield* new BackupFailed({ message: `${folder} names no bucket: write s3://bucket/prefix` })
  }
  const key = yield* Effect.mapError(credentials, () => new BackupFailed({ message: missingKey }))
  return (yield* s3).openBucket(address, { endpoint: s3Endpoint, region: s3Region, ...key })
})

const temporary = scratchFolder(tmpdir(), "backup").pipe(orFailed(`${tmpdir()} cannot take a backup on its way`))

interface BackupWish {
  readonly data: string
  readonly to: string
  /** How many stay; null: all. */
  readonly keep: number | null
}

/** Makes the backup in a folder of its own first, so that what is uploaded has been read back and compared. */
const backUpToBucket = Effect.fnUntraced(function* ({ data, to, keep }: BackupWish, settings: BucketSettings) {
  const path = yield* Path.Path
  const bucket = yield* bucketAt(to, settings)
  const { rotateIn, upload } = yield* s3
  const folder = yield* temporary
  const { name: here, manifest } = yield* backUp({ data, to: folder, keep: null, version }).pipe(
    // What is complete in the temporary folder is no backup yet.
    Effect.provideServiceEffect(MeaningOfStop, Ref.make<string | null>(null))
  )
  // No store keeps two servers from writing the same names at once, as those do that are all told to at three in the morning.
  const name = nameAmongOthers(here, manifest)
  yield* upload(bucket, path.join(folder, here), name)
  yield* ifStopped(`the backup ${name} is complete, but older ones may be there that were to be deleted`)
  // While something is damaged, an older backup may be the only one that has it whole.
  const isKept = keep === null || manifest.damage.length > 0
  return { name, manifest, ...(isKept ? untouched : yield* rotateIn(bucket, manifest.installation, keep)) }
}, Effect.scoped)

/** Fails where there is no data folder, before anything is written. */
export const demandBackedUp = (data: string) =>
  Effect.mapError(demandDataFolder(data), (error) => new BackupFailed({ message: reasonOf(error) }))

/** Writes a backup of the data folder into a folder or bucket of backups; a server may run meanwhile. */
export const backUpInto = (wish: BackupWish, settings: BucketSettings) =>
  Effect.zipRight(
    demandBackedUp(wish.data),
    isInBucket(wish.to) ? backUpToBucket(wish, settings) : backUp({ ...wish, version })
  )

/** The complete backups in a folder or bucket, oldest first. */
export const listBackups = (from: string, settings: BucketSettings) =>
  isInBucket(from)
    ? Effect.flatMap(Effect.all([s3, bucketAt(from, settings)]), ([{ completeIn }, bucket]) => completeIn(bucket))
    : completeBackups(from)

/** The folder and the backup in it that a path in a bucket names: `s3://bucket/prefix/gamekeeper-…`, else the newest of the folder. */
const splitPath = (from: string): readonly [folder: string, name: string | null] => {
  const [, folder = "", last = ""] = /^(.*)\/([^/]+)\/?$/.exec(from) ?? []
  return isBackupName(last) ? [folder, last] : [from, null]
}

/** The path of a backup as a folder: one in a bucket is brought here for as long as the scope lasts. */
export const broughtHere = Effect.fnUntraced(function* (from: string, settings: BucketSettings) {
  if (!isInBucket(from)) return from
  const path = yield* Path.Path
  const [folder, wanted] = splitPath(from)
  const bucket = yield* bucketAt(folder, settings)
  const { completeIn, download } = yield* s3
  const all = yield* completeIn(bucket)
  const chosen = wanted === null ? yield* newestIn(from, all) : all.find(({ name }) => name === wanted)
  if (chosen === undefined) return yield* new BackupFailed({ message: `${from} holds no complete backup` })
  const here = path.join(yield* temporary, chosen.name)
  yield* download(bucket, chosen, here)
  return here
})

interface RestoreWish {
  /** A backup, or a folder or bucket of backups. */
  readonly from: string
  readonly data: string
  readonly force: boolean
}

/** Restores a backup into a data folder that no server uses. */
export const restoreFrom = Effect.fnUntraced(function* (wish: RestoreWish, settings: BucketSettings) {
  const path = yield* Path.Path
  const from = yield* broughtHere(wish.from, settings)
  const restored = yield* restore({ ...wish, from })
  // The folder into which a bucket's was brought is gone when this is read.
  return isInBucket(wish.from)
    ? { ...restored, backup: `${splitPath(wish.from)[0].replace(/\/+$/, "")}/${path.basename(from)}` }
    : restored
}, Effect.scoped)

/** The folder, or the one above it in which it would be made. */
const nearestFolder = (folder: string): Effect.Effect<string, PlatformError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const above = path.dirname(path.resolve(folder))
    return above === folder || (yield* files.exists(folder)) ? folder : yield* nearestFolder(above)
  })

/** Why backups or exports cannot go there, as far as that shows without making one; null where nothing does. */
export const placeProblem = (to: string, settings: BucketSettings) =>
  Effect.gen(function* () {
    if (to.trim() === "") return "it is blank: name a folder or s3://bucket/prefix"
    if (isInBucket(to)) return yield* Effect.as(bucketAt(to, settings), null)
    const files = yield* FileSystem.FileSystem
    const there = yield* nearestFolder(to)
    if ((yield* files.stat(there)).type !== "Directory") return `${there} is no folder`
    yield* files.access(there, { readable: true, writable: true })
    return null
  }).pipe(
    orFailed(`${to} cannot be written`),
    Effect.catchAll(({ message }) => Effect.succeed(message))
  )

/** Logs it of a place that nothing can go to; `what` says which setting names it, and what is not done therefore. */
export const warnOfPlace = (what: string, to: string, settings: BucketSettings) =>
  Effect.flatMap(placeProblem(to, settings), (problem) =>
    problem === null ? Effect.void : Effect.logError(`${what}: ${problem}`)
  )
