import { FileSystem } from "@effect/platform"
import { S3Client, S3Errors } from "@bradenmacdonald/s3-lite-client"
import { Effect, Redacted, Schedule, Stream } from "effect"
import { createHash } from "node:crypto"
import type { Digest } from "../../domain/operations/Backup.ts"
import type { BucketAddress } from "../../domain/operations/BucketAddress.ts"
import { attempt, BackupFailed, orFailed } from "../sqlite/operations/BackupFailed.ts"

/** How an S3-compatible store is reached. */
export interface BucketAccess {
  /** The address of the store; empty: AWS, in the region. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  /** Of a key for some hours; null: the key is for good. */
  readonly sessionToken: Redacted.Redacted | null
}

/** Bytes of a part, of which a few are in memory at once. An object has at most 10,000 parts. */
const partBytes = (bytes: number): number => Math.max(16 * 1024 * 1024, Math.ceil(bytes / 9000))

/** Whether a request may be answered later that failed: the store had too much to do (503 SlowDown), or the connection broke. */
const isPassing = (cause: unknown): boolean =>
  !(cause instanceof S3Errors.ServerError) || cause.statusCode >= 500 || cause.statusCode === 429

const again = Schedule.intersect(Schedule.jittered(Schedule.exponential("200 millis")), Schedule.recurs(4))

/** Objects of one bucket whose names begin alike. */
export const openBucket = ({ bucket, prefix }: BucketAddress, access: BucketAccess) => {
  const client = new S3Client({
    endPoint: access.endpoint === "" ? `https://s3.${access.region}.amazonaws.com` : access.endpoint,
    region: access.region,
    bucket,
    accessKey: access.accessKeyId,
    secretKey: Redacted.value(access.secretAccessKey),
    ...(access.sessionToken === null ? {} : { sessionToken: Redacted.value(access.sessionToken) })
  })
  const where = `s3://${bucket}/${prefix}`

  const body = (name: string) =>
    attempt(`${where}${name} cannot be read`, () => client.getObject(prefix + name)).pipe(
      Effect.flatMap(({ body: found }) =>
        found === null ? new BackupFailed({ message: `${where}${name} is empty` }) : Effect.succeed(found)
      )
    )

  /** The bytes of an object, one after the other, with what they add up to once they have been read. */
  const measured = Effect.fnUntraced(function* (name: string) {
    const found = yield* body(name)
    const hash = createHash("sha256")
    let bytes = 0
    const stream = Stream.fromReadableStream(
      () => found,
      (cause) => cause
    ).pipe(
      Stream.tap((part) =>
        Effect.sync(() => {
          hash.update(part)
          bytes += part.length
        })
      )
    )
    return { stream, digest: (): Digest => ({ bytes, sha256: hash.digest("hex") }) }
  })

  const objects = Stream.suspend(() => Stream.fromAsyncIterable(client.listObjects({ prefix }), (cause) => cause)).pipe(
    Stream.map(({ key, lastModified }) => ({ name: key.slice(prefix.length), writtenAt: lastModified.getTime() })),
    Stream.runCollect,
    Effect.map((found) => [...found]),
    // A generator ends only once the store has answered, and whoever stops must not wait for a store that does not.
    Effect.disconnect,
    orFailed(`${where} cannot be listed`)
  )

  /** A short object as text. What fails for now is tried again. */
  const short = (name: string) =>
    Effect.tryPromise(() => client.getObject(prefix + name).then((answer) => answer.text())).pipe(
      Effect.retry({ schedule: again, while: ({ error }) => isPassing(error) })
    )

  return {
    where,
    /** Names of all objects, without what they begin with alike, and when each was written, by the store's clock. */
    objects,
    names: Effect.map(objects, (found) => found.map(({ name }) => name)),
    text: (name: string) => short(name).pipe(orFailed(`${where}${name} cannot be read`)),
    /** The same; none where the store refuses it for good, because it is gone, in an archive, or not for this key. */
    textIfGiven: (name: string) =>
      Effect.catchAll(Effect.asSome(short(name)), (failure) =>
        isPassing(failure.error)
          ? Effect.fail(failure).pipe(orFailed(`${where}${name} cannot be read`))
          : Effect.succeedNone
      ),
    putText: (name: string, text: string) =>
      Effect.asVoid(attempt(`${where}${name} cannot be written`, () => client.putObject(prefix + name, text))),
    /** Writes a file as an object, in parts. */
    putFile: (name: string, file: string, bytes: number) =>
      Effect.flatMap(FileSystem.FileSystem, (files) =>
        Effect.asVoid(
          attempt(`${where}${name} cannot be written`, () =>
            client.putObject(prefix + name, Stream.toReadableStream(files.stream(file)), {
              size: bytes,
              partSize: partBytes(bytes)
            })
          )
        )
      ),
    /** Reads an object, and tells what it holds. */
    digest: (name: string) =>
      Effect.flatMap(measured(name), ({ stream, digest }) =>
        Effect.map(Stream.runDrain(stream), digest).pipe(orFailed(`${where}${name} cannot be read`))
      ),
    /** Writes an object into a new file, and tells what it holds. */
    getFile: (name: string, file: string) =>
      Effect.flatMap(Effect.all([FileSystem.FileSystem, measured(name)]), ([files, { stream, digest }]) =>
        Effect.map(Stream.run(stream, files.sink(file, { flag: "wx", mode: 0o600 })), digest).pipe(
          orFailed(`${where}${name} cannot be brought into ${file}`)
        )
      ),
    remove: (name: string) => attempt(`${where}${name} cannot be deleted`, () => client.deleteObject(prefix + name))
  }
}

export type Bucket = ReturnType<typeof openBucket>
