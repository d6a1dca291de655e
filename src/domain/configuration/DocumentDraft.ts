import type { Document, Json, Path } from "./Document.ts"
import { isObject, setOwn } from "./Document.ts"

type Part = Json | Opened

/**
 * An object that is changed: the object as it was given, and apart from it what has become different. A key of a large object that stays
 * as it is costs nothing before the end.
 */
class Opened {
  private readonly given: Document
  /** Of keys of the given object, which keep their places. */
  private readonly changed = new Map<string, Part>()
  private readonly removed = new Set<string>()
  /** Keys that come after all of the given object. */
  private readonly added = new Map<string, Part>()

  constructor(given: Document) {
    this.given = given
  }

  private isGiven(key: string): boolean {
    return Object.hasOwn(this.given, key) && !this.removed.has(key)
  }

  get(key: string): Part | undefined {
    if (!this.isGiven(key)) return this.added.get(key)
    return this.changed.has(key) ? this.changed.get(key) : this.given[key]
  }

  set(key: string, part: Part): void {
    if (this.isGiven(key)) this.changed.set(key, part)
    else this.added.set(key, part)
  }

  delete(key: string): boolean {
    if (!this.isGiven(key)) return this.added.delete(key)
    this.changed.delete(key)
    this.removed.add(key)
    return true
  }

  /** The object as it is now: one pass over its keys, without a list of its entries, which would take longer than all the rest. */
  document(): Document {
    const document: Record<string, Json> = {}
    for (const key of Object.keys(this.given)) {
      if (this.removed.has(key)) continue
      const part = this.changed.get(key)
      setOwn(document, key, part === undefined ? this.given[key]! : closed(part))
    }
    for (const [key, part] of this.added) setOwn(document, key, closed(part))
    return document
  }
}

const closed = (part: Part): Json => (part instanceof Opened ? part.document() : part)

/**
 * A document that many changes are made to. Each object is copied once, when a change first comes to it, so that the changes together
 * take one pass over the document and not one pass each. The given document never changes.
 */
export class DocumentDraft {
  private readonly given: Document
  private readonly root: Opened
  private isChanged = false

  constructor(document: Document) {
    this.given = document
    this.root = new Opened(document)
  }

  /** Sets the value at a path. False, and nothing is done, if the parent is missing or no object, or the path is empty. */
  set(path: Path, value: Json): boolean {
    const parent = this.parentOf(path)
    const key = path.at(-1)
    if (parent === undefined || key === undefined) return false
    parent.set(key, value)
    this.isChanged = true
    return true
  }

  /** Deletes a path. False, and nothing is done, if it is missing or empty. */
  remove(path: Path): boolean {
    const key = path.at(-1)
    const isRemoved = key !== undefined && this.parentOf(path)?.delete(key) === true
    if (isRemoved) this.isChanged = true
    return isRemoved
  }

  /** Makes the missing parents of a path. Returns the part of it that is there and no object; null if none is in the way. */
  makeParents(path: Path): Path | null {
    let object = this.root
    for (const [index, key] of path.slice(0, -1).entries()) {
      if (object.get(key) === undefined) {
        object.set(key, {})
        this.isChanged = true
      }
      const next = this.open(object, key)
      if (next === undefined) return path.slice(0, index + 1)
      object = next
    }
    return null
  }

  /** The document with all changes; the given one if there were none. */
  document(): Document {
    return this.isChanged ? this.root.document() : this.given
  }

  private parentOf(path: Path): Opened | undefined {
    let object: Opened | undefined = this.root
    for (const key of path.slice(0, -1)) {
      object = this.open(object, key)
      if (object === undefined) return undefined
    }
    return object
  }

  private open(object: Opened, key: string): Opened | undefined {
    const part = object.get(key)
    if (part instanceof Opened) return part
    if (!isObject(part)) return undefined
    const opened = new Opened(part)
    object.set(key, opened)
    return opened
  }
}
