import type { PlaceRange } from "./Bucketing.ts"

/** An experiment's share of an exclusion layer. */
export interface LayerShare {
  readonly layer: string
  readonly slots: PlaceRange
}

/** The share at a place (from 0) among `count` experiments of a layer: equal, adjacent shares in basis points. */
export const slotsOf = (place: number, count: number): PlaceRange => [
  Math.floor((place * 10_000) / count),
  Math.floor(((place + 1) * 10_000) / count)
]

/** The shares of running experiments, which are given by ascending id. Those without a layer have none. */
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
