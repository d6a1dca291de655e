import { createHash, type Hash } from "node:crypto"
import { createReadStream, createWriteStream } from "node:fs"
import { open } from "node:fs/promises"
import { Transform } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGunzip, createGzip } from "node:zlib"
import type { Digest } from "../../../domain/operations/Backup.ts"

/** Most of an event file is compressed already, so that more effort gains little. */
const gzipLevel = 1

interface Meter {
  readonly stream: Transform
  readonly digest: () => Digest
}

const meter = (): Meter => {
  const hash: Hash = createHash("sha256")
  let bytes = 0
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, next) => {
      hash.update(chunk)
      bytes += chunk.length
      next(null, chunk)
    }
  })
  return { stream, digest: () => ({ bytes, sha256: hash.digest("hex") }) }
}

/** What was read and what was written. */
export interface Passed {
  readonly read: Digest
  readonly written: Digest
}

const pass = (from: string, through: Transform, to: string): Promise<Passed> => {
  const [read, written] = [meter(), meter()]
  const target = createWriteStream(to, { flags: "wx", mode: 0o600, flush: true })
  return pipeline(createReadStream(from), read.stream, through, written.stream, target).then(() => ({
    read: read.digest(),
    written: written.digest()
  }))
}

/** Compresses a file into a new one by gzip; the new one is on the disk afterwards. */
export const compress = (from: string, to: string): Promise<Passed> => pass(from, createGzip({ level: gzipLevel }), to)

/** The opposite of `compress`. */
export const decompress = (from: string, to: string): Promise<Passed> => pass(from, createGunzip(), to)

/** Makes the names in a folder last through a power cut, where the system can. */
export const syncFolder = (folder: string): Promise<void> =>
  open(folder, "r").then(
    (handle) =>
      handle
        .sync()
        .catch(() => undefined)
        .then(() => handle.close()),
    () => undefined
  )
