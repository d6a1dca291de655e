import type { Document, Json, Path } from "./Document.ts"
import { isObject } from "./Document.ts"

/** An object that has been copied in order to be changed. */
interface Opened extends Map<string, Part> {}

type Part = Json | Opened

const closed = (part: Part): Json => (part instanceof Map ? documentOf(part) : part)

const documentOf = (object: Opened): Document =>
  Object.fromEntries([...object].map(([key, part]) => [key, closed(part)]))

/**
 * A document that many changes are made to. Each object is copied once, when a change first comes to it, so that the changes together
 * take one pass over the document and not one pass each. The given document never changes.
 */
export class Draft {
  private readonly given: Document
  private readonly root: Opened
  private isChanged = false

  constructor(document: Document) {
    this.given = document
    this.root = new Map(Object.entries(document))
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
      if (!object.has(key)) {
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
    return this.isChanged ? documentOf(this.root) : this.given
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
    if (part instanceof Map) return part
    if (!isObject(part)) return undefined
    const opened: Opened = new Map(Object.entries(part))
    object.set(key, opened)
    return opened
  }
}
