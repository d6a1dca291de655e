import type { Range } from "./Bucketing.ts"

/** An experiment's part of an exclusion layer. */
export interface LayerShare {
  readonly layer: string
  readonly slots: Range
}

/** The part of the experiment at that place (from 0) among so many of one layer: equal parts, in basis points, that leave no gap. */
export const slotsOf = (place: number, count: number): Range => [
  Math.floor((place * 10_000) / count),
  Math.floor(((place + 1) * 10_000) / count)
]

/** The parts of running experiments, given by ascending id; those without a layer have none. */
export const sharesOf = <Id>(
  running: ReadonlyArray<{ readonly id: Id; readonly exclusionLayer: string | null }>
): ReadonlyMap<Id, LayerShare> => {
  const layers = new Map<string, Array<Id>>()
  for (const { id, exclusionLayer } of running)
    if (exclusionLayer !== null) layers.set(exclusionLayer, [...(layers.get(exclusionLayer) ?? []), id])
  const shares = [...layers].flatMap(([layer, ids]) =>
    ids.map((id, place) => [id, { layer, slots: slotsOf(place, ids.length) }] as const)
  )
  return new Map(shares)
}
