import type Database from "better-sqlite3"
import { fstatSync, readSync } from "node:fs"
import { type PageSums, pageSum } from "./PageSums.ts"

const bytesAtOnce = 1_048_576
/** SQLite keeps its locks in the page at this offset and never writes it. */
const lockOffset = 1_073_741_824

/** A file is damaged, or was changed by something else than this program. The message is for the operator. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile"
}

/** Calls `take` with each whole page of the file, from page 1 to `count`. */
const eachPage = (
  descriptor: number,
  pageSize: number,
  count: number,
  take: (page: number, bytes: Uint8Array) => void
): void => {
  const buffer = new Uint8Array(Math.max(1, Math.floor(bytesAtOnce / pageSize)) * pageSize)
  for (let first = 1; first <= count; first += buffer.length / pageSize) {
    const read = readSync(descriptor, buffer, 0, buffer.length, (first - 1) * pageSize)
    for (let at = 0; at + pageSize <= read && first + at / pageSize <= count; at += pageSize)
      take(first + at / pageSize, buffer.subarray(at, at + pageSize))
  }
}

const lockPage = (pageSize: number): number => lockOffset / pageSize + 1

/** The checksums of all pages as they are in the file. */
export const sumsOfFile = (descriptor: number, pageSize: number): Uint32Array => {
  const sums = new Uint32Array(Math.floor(fstatSync(descriptor).size / pageSize))
  eachPage(descriptor, pageSize, sums.length, (page, bytes) => {
    sums[page - 1] = pageSum(bytes, page)
  })
  return sums
}

/** The first pages up to `count` that are not as they were written, `except` those whose newest version is elsewhere. */
export const damagedPages = (
  descriptor: number,
  pageSize: number,
  count: number,
  sums: PageSums,
  except: ReadonlySet<number>
): ReadonlyArray<number> => {
  const damaged: Array<number> = []
  const look = (page: number, sum: number | null): void => {
    const expected = sums.of(page)
    if (expected !== 0 && expected !== sum && page !== lockPage(pageSize) && !except.has(page)) damaged.push(page)
  }
  let seen = 0
  eachPage(descriptor, pageSize, count, (page, bytes) => {
    look(page, pageSum(bytes, page))
    seen = page
  })
  for (let page = seen + 1; page <= count; page++) look(page, null)
  return damaged
}

/** Those of the pages that are not as they were written. */
export const damagedAmong = (
  pages: ReadonlyArray<number>,
  descriptor: number,
  pageSize: number,
  sums: PageSums
): ReadonlyArray<number> => {
  const bytes = new Uint8Array(pageSize)
  return pages.filter((page) => {
    const expected = sums.of(page)
    const read = readSync(descriptor, bytes, 0, pageSize, (page - 1) * pageSize)
    return expected !== 0 && (read < pageSize || expected !== pageSum(bytes, page))
  })
}

interface Owner {
  readonly pageno: number
  readonly name: string
  readonly pagetype: string
}

/** Which table or index each of the pages belongs to; null when that cannot be told, as for pages that are not in use. */
export const ownersOf = (db: Database.Database, pages: ReadonlyArray<number>): ReadonlyArray<Owner | null> => {
  const wanted = new Set(pages)
  const found = new Map<number, Owner>()
  try {
    for (const owner of db.prepare<[], Owner>("select pageno, name, pagetype from dbstat").iterate())
      if (wanted.has(owner.pageno)) found.set(owner.pageno, owner)
  } catch {
    return pages.map(() => null)
  }
  return pages.map((page) => found.get(page) ?? null)
}

/** Page numbers for a message. */
const listed = (pages: ReadonlyArray<number>): string =>
  pages.length > 8 ? `${pages.slice(0, 8).join(", ")} and ${pages.length - 8} more` : pages.join(", ")

/**
 * Damaged pages for a message, with the tables and indexes that they belong to, and whether the store can live with the damage: all of it is
 * in rows of tables that check themselves.
 */
export const described = (db: Database.Database, pages: ReadonlyArray<number>, selfChecking: ReadonlyArray<string>) => {
  const owners = ownersOf(db, pages)
  const names = [...new Set(owners.map((owner) => owner?.name ?? "unknown"))].join(", ")
  const isBearable = owners.every(
    (owner) => owner !== null && owner.pagetype !== "internal" && selfChecking.includes(owner.name)
  )
  return { named: `pages ${listed(pages)} (${names})`, isBearable }
}

/** Page size in the first bytes of a database; a new one gets 4096, which matters to nobody. */
export const pageSizeIn = (descriptor: number): number => {
  const bytes = new DataView(new ArrayBuffer(2))
  const size = readSync(descriptor, bytes, 0, 2, 16) < 2 ? 0 : bytes.getUint16(0)
  return size === 1 ? 65_536 : size || 4096
}
