import type { PlaceRange } from "./Bucketing.ts"
import type { UnitType } from "./Experiment.ts"

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

interface Sharing<Id> {
  readonly id: Id
  readonly unitType: UnitType
  readonly exclusionLayer: string | null
}

/**
 * The shares of running experiments, which are given by ascending id. Those without a layer have none, and those on players leave nothing to
 * those on servers, which have other units.
 */
export const sharesOf = <Id>(running: ReadonlyArray<Sharing<Id>>): ReadonlyMap<Id, LayerShare> => {
  const layers = new Map<string, { readonly layer: string; readonly ids: Array<Id> }>()
  for (const { id, unitType, exclusionLayer: layer } of running) {
    if (layer === null) continue
    const key = `${unitType} ${layer}`
    const known = layers.get(key)
    if (known === undefined) layers.set(key, { layer, ids: [id] })
    else known.ids.push(id)
  }
  const shares = [...layers.values()].flatMap(({ layer, ids }) =>
    ids.map((id, place) => [id, { layer, slots: slotsOf(place, ids.length) }] as const)
  )
  return new Map(shares)
}
