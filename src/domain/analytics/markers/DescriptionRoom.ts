import type { MarkerMetadata } from "./MarkerMetadata.ts"

/** Descriptions that an environment may have. */
interface Most {
  readonly types: number
  readonly arguments: number
}

const fits = <A>(present: ReadonlyArray<A>, touched: ReadonlyArray<A>, keyOf: (each: A) => string, most: number) => {
  const known = new Set(present.map(keyOf))
  const added = touched.filter((each) => !known.has(keyOf(each))).length
  return added === 0 || known.size + added <= most
}

/** Whether there is room for what a change touches beside what is described: always where it describes nothing more. */
export const hasRoomForDescriptions = (present: MarkerMetadata, touched: MarkerMetadata, most: Most): boolean =>
  fits(present.types, touched.types, ({ name }) => name, most.types) &&
  fits(present.arguments, touched.arguments, ({ type, name }) => JSON.stringify([type, name]), most.arguments)
