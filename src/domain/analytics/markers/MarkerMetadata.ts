/** What people say about a marker type. */
export interface TypeMetadata {
  readonly name: string
  readonly displayName: string | null
  readonly description: string | null
  readonly hidden: boolean
}

/**
 * What people say about an argument of a marker type. `decimals` (0..20) is the number of digits to show after the
 * point.
 */
export interface ArgumentMetadata {
  readonly type: string
  readonly name: string
  readonly description: string | null
  readonly unit: string | null
  readonly decimals: number | null
}

export interface MarkerMetadata {
  readonly types: ReadonlyArray<TypeMetadata>
  readonly arguments: ReadonlyArray<ArgumentMetadata>
}

type Change<Metadata, Key extends keyof Metadata> = Pick<Metadata, Key> & {
  readonly [Each in Exclude<keyof Metadata, Key>]?: Metadata[Each] | undefined
}

/** A change of descriptions: a field that is left out stays, null clears it. */
export interface MetadataChange {
  readonly types: ReadonlyArray<Change<TypeMetadata, "name">>
  readonly arguments: ReadonlyArray<Change<ArgumentMetadata, "type" | "name">>
}

const changed = <Metadata extends object, Changes extends object>(
  present: Iterable<Metadata>,
  changes: ReadonlyArray<Changes>,
  keyOf: (each: Metadata | Changes) => string,
  apply: (change: Changes, present: Metadata | undefined) => Metadata
): ReadonlyArray<Metadata> => {
  const known = new Map([...present].map((each) => [keyOf(each), each]))
  const touched = new Map<string, Metadata>()
  for (const change of changes) {
    const key = keyOf(change)
    touched.set(key, apply(change, touched.get(key) ?? known.get(key)))
  }
  return [...touched.values()]
}

const kept = <A>(change: A | undefined, present: A | undefined, otherwise: A): A =>
  change === undefined ? (present ?? otherwise) : change

/** The descriptions that a change touches, as they are afterwards. Several changes of the same thing apply in order. */
export const changedMetadata = (present: MarkerMetadata, change: MetadataChange): MarkerMetadata => ({
  types: changed(
    present.types,
    change.types,
    ({ name }) => name,
    ({ name, displayName, description, hidden }, before): TypeMetadata => ({
      name,
      displayName: kept(displayName, before?.displayName, null),
      description: kept(description, before?.description, null),
      hidden: kept(hidden, before?.hidden, false)
    })
  ),
  arguments: changed(
    present.arguments,
    change.arguments,
    ({ type, name }) => JSON.stringify([type, name]),
    ({ type, name, description, unit, decimals }, before): ArgumentMetadata => ({
      type,
      name,
      description: kept(description, before?.description, null),
      unit: kept(unit, before?.unit, null),
      decimals: kept(decimals, before?.decimals, null)
    })
  )
})
