import type Database from "better-sqlite3"

// Frozen: files of format 4 exist, so what this step makes must never change. Any change of the format is a new step.

const keyBytes = 20
const pagesPerRun = 65_536
const wordsPerBlock = 8
const bitsPerKey = 16

const salts = Uint32Array.of(
  0x47b6137b,
  0x44974d91,
  0x8824ad5b,
  0xa2b7289d,
  0x705495c7,
  0x2df1424b,
  0x9efc4947,
  0x5c6bfb31
)

/** 32 bits of the four words of a marker id. */
const hashOf = (a: number, b: number, c: number, d: number): number => {
  let mixed = Math.imul(a, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ b, 0xcc9e2d51)
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ c, 0x1b873593)
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ d, 0x85ebca6b)
  return mix(mixed)
}

const mix = (word: number): number => {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const addKey = (words: Uint32Array, page: DataView, at: number): void => {
  const hash = hashOf(page.getUint32(at), page.getUint32(at + 4), page.getUint32(at + 8), page.getUint32(at + 12))
  const block = (hash % (words.length / wordsPerBlock)) * wordsPerBlock
  const bits = mix(hash)
  for (let word = 0; word < wordsPerBlock; word++) words[block + word]! |= 1 << (Math.imul(bits, salts[word]!) >>> 27)
}

/**
 * Brings a file of format 3 to format 4: the filters of marker ids get a hash that also spreads ids that count up. Each
 * filter is made anew from the pages of its run.
 */
export const toFormat4 = (db: Database.Database): void => {
  const pages = db.prepare<[number, number], { data: Uint8Array }>(
    "select data from key_page where id between ? and ? order by id"
  )
  const put = db.prepare<[Uint8Array, number]>("update key_run set filter = ? where id = ?")
  for (const { id, keys } of db.prepare<[], { id: number; keys: number }>("select id, keys from key_run").all()) {
    const blocks = Math.max(1, Math.ceil((keys * bitsPerKey) / (wordsPerBlock * 32)))
    const words = new Uint32Array(blocks * wordsPerBlock)
    for (const { data } of pages.all(id * pagesPerRun, (id + 1) * pagesPerRun - 1)) {
      const page = new DataView(data.buffer, data.byteOffset, data.byteLength)
      for (let at = 0; at < data.length; at += keyBytes) addKey(words, page, at)
    }
    put.run(new Uint8Array(words.buffer), id)
  }
}
