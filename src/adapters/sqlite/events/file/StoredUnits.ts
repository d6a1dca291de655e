import { readName, storedName } from "../bytes/MarkerId.ts"
import type { Db } from "./Db.ts"
import { comparison, merged, type NamedUnit, type UnitOrder } from "./UnitOrder.ts"

/** Appended to a prefix, it sorts after every id that begins with the prefix: it is longer than any id and of the highest code point. */
const last = "\u{10ffff}".repeat(256)

const pattern = "00000000-0000-0000-0000-000000000000"

/**
 * The UUID at a text's place among all UUIDs in lower case: each one before it is before the text, each one after it is
 * after the text. It may be on either side of the text itself.
 */
const uuidAt = (text: string): string => {
  for (let at = 0; at < pattern.length; at++) {
    const isDash = pattern[at] === "-"
    const own = text.charAt(at)
    if (isDash ? own === "-" : /^[0-9a-f]$/.test(own)) continue
    if (own === "" || own < (isDash ? "-" : "0")) return text.slice(0, at) + pattern.slice(at)
    if (isDash || own > "f") return text.slice(0, at) + pattern.slice(at).replaceAll("0", "f")
    return `${text.slice(0, at)}a${pattern.slice(at + 1)}`
  }
  return text.slice(0, pattern.length)
}

type Row = readonly [unit: number, name: string | Uint8Array]

/** The units of the dictionary by their names: texts, and UUIDs as bytes, each in order of code points. */
export class StoredUnits {
  private readonly ids
  private readonly ascending
  private readonly descending

  constructor(db: Db) {
    const within = "from unit where environment_id = ? and name between ? and ? and id < ?"
    this.ids = db
      .prepare<[number, string | Uint8Array, string | Uint8Array, number], number>(`select id ${within}`)
      .pluck()
    const ordered = (direction: "asc" | "desc") => {
      const sql = `select id, name ${within} order by name ${direction}`
      const rows = () => db.prepare<[number, string | Uint8Array, string | Uint8Array, number], Row>(sql).raw()
      // Texts and UUIDs are read side by side, and one statement can only be read once at a time.
      return { texts: rows(), uuids: rows() }
    }
    this.ascending = ordered("asc")
    this.descending = ordered("desc")
  }

  /** The numbers, below `end`, of the units whose name begins with the prefix. */
  starting(environmentId: number, prefix: string, end: number): Array<number> {
    const texts = this.ids.all(environmentId, prefix, prefix + last, end)
    const [low, high] = [uuidAt(prefix), uuidAt(prefix + last)]
    if (!low.startsWith(prefix)) return texts
    return [...texts, ...this.ids.all(environmentId, storedName(low), storedName(high), end)]
  }

  /** The units with numbers below `end`, in order; ended when the reader stops early. */
  *inOrder(environmentId: number, order: UnitOrder, end: number): Generator<NamedUnit, void, undefined> {
    const { prefix, after, direction } = order
    const compare = comparison(order)
    const isAscending = direction === "ascending"
    const low = isAscending && after !== null && compare(after, prefix) > 0 ? after : prefix
    const high = !isAscending && after !== null ? after : prefix + last
    const rows = isAscending ? this.ascending : this.descending
    function* named(found: Iterable<Row>): Generator<NamedUnit, void, undefined> {
      for (const [unit, stored] of found) {
        const name = readName(stored)
        if (name.startsWith(prefix) && (after === null || compare(name, after) > 0)) yield { unit, name }
      }
    }
    const texts = named(rows.texts.iterate(environmentId, low, high, end))
    const uuids = named(rows.uuids.iterate(environmentId, storedName(uuidAt(low)), storedName(uuidAt(high)), end))
    yield* merged(texts, uuids, order)
  }
}
