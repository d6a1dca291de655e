/** A marker with the names that it may bring. */
export interface NamedMarker {
  readonly type: string
  /** By the names of its arguments, and of its properties. */
  readonly arguments: Readonly<Record<string, unknown>>
  readonly properties: Readonly<Record<string, unknown>>
}

/** The names that markers of one type have had. */
interface TypeNames {
  readonly argument: Set<string>
  readonly property: Set<string>
}

/** The names of the markers as rows, as JSON, that are not among the `known`. */
export const freshNames = (markers: ReadonlyArray<NamedMarker>, known: ReadonlySet<string>): ReadonlyArray<string> => {
  const seen = new Map<string, TypeNames>()
  const fresh: Array<string> = []
  const note = (type: string, source: string, name: string) => {
    const row = JSON.stringify([type, source, name])
    if (!known.has(row)) fresh.push(row)
  }
  const noteAll = (type: string, source: keyof TypeNames, own: Set<string>, named: NamedMarker["arguments"]) => {
    for (const name in named) {
      if (own.has(name)) continue
      own.add(name)
      note(type, source, name)
    }
  }
  for (const { type, arguments: own, properties } of markers) {
    let names = seen.get(type)
    if (names === undefined) {
      seen.set(type, (names = { argument: new Set(), property: new Set() }))
      note(type, "", "")
    }
    noteAll(type, "argument", names.argument, own)
    noteAll(type, "property", names.property, properties)
  }
  return fresh
}
