import { entryBytes } from "../../../../domain/LruCache.ts"
import { clickNames } from "../../../../domain/deeplinks/ClickName.ts"
import { maxNames } from "../../../../domain/ingest/Collector.ts"
import { isAutomatic } from "../../../../domain/ingest/Marker.ts"
import type { NamesByType } from "../../../../domain/ingest/NamesByType.ts"
import { hashedWith, hashSeed } from "../bytes/HashSeed.ts"
import { TextTable } from "../bytes/TextTable.ts"

/** What markers of one type with the same names, whose values lie in the same order, share in every frame. */
interface SharedShape {
  /** Which frame has it, and at which place. */
  frame: number
  index: number
}

/** Markers of one type that were sent with the same names in the same order. */
export interface KnownShape {
  readonly type: string
  readonly shared: SharedShape
  /** The places in what was sent, in the order in which values are stored: those of arguments by name, then those of properties. */
  readonly places: ReadonlyArray<number>
  readonly argumentCount: number
  /** Bytes of the type and all names. */
  readonly nameBytes: number
}

interface Entry {
  readonly shape: KnownShape
  readonly head: number
  readonly names: ReadonlyArray<number>
}

/** Whether `KnownShapes` leaves markers with this name to others: the name is not stored as it is, or more follows from it. */
const isSpecial = (name: string): boolean =>
  name === "" || name === "position" || name === "__proto__" || /^\d/.test(name) || clickNames.includes(name)

/** Shapes and names that are held of one environment. Games send a few dozen; what somebody makes up is forgotten with all others. */
const mostShapes = 1000
const mostNames = 5000

/**
 * The shapes of the markers that an environment has had, found by the names as they were sent. Names are those of a table, numbered as
 * they come; a number of two stands for a name: twice that of the text, and one more for an argument that was sent apart.
 */
export class KnownShapes {
  readonly texts = new TextTable()
  private readonly known: NamesByType
  private readonly entries = new Map<number, Array<Entry>>()
  private readonly shared = new Map<string, SharedShape>()
  private count = 0

  constructor(known: NamesByType) {
    this.known = known
  }

  /** About the bytes that this takes in memory. */
  get bytes(): number {
    return this.count * entryBytes * 4 + this.texts.bytes
  }

  /** To be called before the names of a body are numbered. */
  makeRoom(): void {
    if (this.count < mostShapes && this.texts.count < mostNames) return
    this.count = 0
    this.texts.clear()
    this.entries.clear()
    this.shared.clear()
  }

  /**
   * The shape of a marker with these names, of which there are `count`; null where more than their values has to be known. `isMixed` says
   * that arguments and automatic properties were sent together.
   */
  find(type: number, isMixed: boolean, names: Int32Array, count: number): KnownShape | null {
    const head = type * 2 + (isMixed ? 1 : 0)
    let hash = hashedWith(hashSeed, head)
    for (let at = 0; at < count; at++) hash = hashedWith(hash, names[at]!)
    const found = this.entries.get(hash)
    if (found !== undefined)
      for (const entry of found)
        if (entry.head === head && entry.names.length === count) {
          let at = 0
          while (at < count && entry.names[at] === names[at]) at++
          if (at === count) return entry.shape
        }
    const own = Array.from(names.subarray(0, count))
    const shape = this.shapeOf(this.texts.textOf(type), isMixed, own)
    if (shape === null) return null
    const entry = { shape, head, names: own }
    if (found === undefined) this.entries.set(hash, [entry])
    else found.push(entry)
    this.count++
    return shape
  }

  private shapeOf(type: string, isMixed: boolean, names: ReadonlyArray<number>): KnownShape | null {
    const all = names.map((number, place) => {
      const name = this.texts.textOf(number >>> 1)
      return { name, place, isArgument: isMixed ? !isAutomatic(name) : (number & 1) === 1 }
    })
    const own = all.filter(({ isArgument }) => isArgument)
    const properties = all.filter(({ isArgument }) => !isArgument)
    const known = this.known.of(type)
    if (known === undefined || all.some(({ name }) => isSpecial(name))) return null
    for (const [some, names] of [
      [own, known.arguments],
      [properties, known.properties]
    ] as const)
      if (
        some.length > maxNames ||
        new Set(some.map(({ name }) => name)).size < some.length ||
        some.some(({ name }) => !names.has(name))
      )
        return null
    const given = JSON.stringify([type, own.map(({ name }) => name), properties.map(({ name }) => name)])
    const shared = this.shared.get(given) ?? { frame: -1, index: 0 }
    this.shared.set(given, shared)
    const ordered = [own, properties].flatMap((some) => some.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
    return {
      type,
      shared,
      places: ordered.map(({ place }) => place),
      argumentCount: own.length,
      nameBytes: all.reduce((bytes, { name }) => bytes + name.length, type.length)
    }
  }
}
