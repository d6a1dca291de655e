import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync, writeSync } from "node:fs"
import { join } from "node:path"

const kinds = ["bit", "sixteen bytes", "page", "misplaced page", "truncation"] as const
const files = ["events.sqlite", "metadata.sqlite", "events.sqlite-wal", "metadata.sqlite-wal"] as const

export interface Damage {
  readonly file: (typeof files)[number]
  readonly base: "closed" | "killed"
  readonly kind: (typeof kinds)[number]
  /** From 0 to 1: where in the file, and of what kind in detail. */
  readonly places: readonly [number, number, number]
}

/** Damages of all kinds, in turns, of all files. */
export function* damages(count: number, random: () => number): Generator<Damage> {
  for (let at = 0; at < count; at++) {
    const file = files[at % files.length]
    const kind = kinds[Math.floor(at / files.length) % kinds.length]
    if (file === undefined || kind === undefined) return
    const base = file.endsWith("-wal") || random() < 0.5 ? "killed" : "closed"
    yield { file, base, kind, places: [random(), random(), random()] }
  }
}

export const described = ({ file, base, kind, places }: Damage): string =>
  `${kind} of ${file} (${base}) at ${places.map((place) => place.toFixed(6)).join(" ")}`

/** Does the damage to a copy of the world's folder. */
export const doDamage = (folder: string, { file, kind, places }: Damage): void => {
  const path = join(folder, file)
  const descriptor = openSync(path, "r+")
  const { size } = fstatSync(descriptor)
  const pageSize = file.startsWith("events") ? 8192 : 4096
  const [first, second, third] = places
  const at = Math.floor(first * size)
  const page = (place: number) => Math.floor((place * size) / pageSize) * pageSize
  const write = (bytes: Uint8Array, to: number) =>
    writeSync(descriptor, bytes, 0, Math.min(bytes.length, size - to), to)
  const read = (from: number, length: number) => {
    const bytes = new Uint8Array(length)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, from))
  }
  switch (kind) {
    case "bit": {
      const [byte = 0] = read(at, 1)
      write(Uint8Array.of(byte ^ (1 << Math.floor(second * 8))), at)
      break
    }
    case "sixteen bytes":
      write(
        read(at, 16).map((byte, index) => byte ^ (1 + Math.floor(second * 254) + index)),
        at
      )
      break
    case "page":
      write(
        new Uint8Array(pageSize).map((_, index) => (third < 0.3 ? 0 : Math.floor(second * 1e6 + index * 131) % 256)),
        page(first)
      )
      break
    case "misplaced page":
      write(read(page(first), pageSize), page(second))
      break
    case "truncation":
      ftruncateSync(descriptor, third < 0.5 ? page(first) : at)
  }
  closeSync(descriptor)
}

export const sizeOf = (folder: string, file: string): number => statSync(join(folder, file)).size
