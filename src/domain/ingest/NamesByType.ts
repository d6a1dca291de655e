import type { Event } from "../analytics/markers/Event.ts"
import { entryBytes, textBytes } from "../LruCache.ts"

/** A marker type with the names that its arguments and properties have had. */
export interface TypeNames {
  readonly type: string
  readonly arguments: ReadonlyArray<string>
  readonly properties: ReadonlyArray<string>
}

/** The names of one type. */
interface Names {
  readonly arguments: Set<string>
  readonly properties: Set<string>
}

/** Marker types of one environment, with the names of their arguments and properties. */
export class NamesByType {
  private readonly types = new Map<string, Names>()
  private nameCount = 0
  private used = 0

  get typeCount(): number {
    return this.types.size
  }

  /** Arguments and properties of all types; a name counts once for each type that has it. */
  get count(): number {
    return this.nameCount
  }

  /** About the bytes that this takes in memory. */
  get bytes(): number {
    return this.used
  }

  /** Undefined for an unknown type. */
  of(type: string): Names | undefined {
    return this.types.get(type)
  }

  /** Adds a type, if it is new, and names of its arguments and properties. */
  add(type: string, argumentNames: Iterable<string>, propertyNames: Iterable<string>): void {
    let known = this.types.get(type)
    if (known === undefined) {
      known = { arguments: new Set(), properties: new Set() }
      this.types.set(type, known)
      this.used += entryBytes + textBytes(type)
    }
    for (const name of argumentNames) this.note(known.arguments, name)
    for (const name of propertyNames) this.note(known.properties, name)
  }

  /** Whether the type of a marker and all names of its values are among these. */
  knows({ type, arguments: own, properties }: Pick<Event, "type" | "arguments" | "properties">): boolean {
    const known = this.types.get(type)
    if (known === undefined) return false
    for (const name in own) if (!known.arguments.has(name)) return false
    for (const name in properties) if (!known.properties.has(name)) return false
    return true
  }

  list(): ReadonlyArray<TypeNames> {
    return [...this.types].map(([type, names]) => ({
      type,
      arguments: [...names.arguments],
      properties: [...names.properties]
    }))
  }

  private note(names: Set<string>, name: string): void {
    if (names.has(name)) return
    names.add(name)
    this.nameCount++
    this.used += entryBytes / 2 + textBytes(name)
  }
}
