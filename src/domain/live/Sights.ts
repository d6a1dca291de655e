import type { View } from "./Sight.ts"
import { Sight } from "./Sight.ts"

type ByType = Map<string | null, ReadonlyArray<Sight>>

/** The sights of all views, found by what a marker is: at most four look-ups a marker, however many views there are. */
export class Sights {
  private readonly byUnit = new Map<string | null, ByType>()

  /** The sight of the view, which has one viewer more until `leave`. */
  join(view: View): Sight {
    const byType: ByType = this.byUnit.get(view.unitId) ?? new Map<string | null, ReadonlyArray<Sight>>()
    this.byUnit.set(view.unitId, byType)
    const present = byType.get(view.type) ?? []
    const sight = present.find((each) => each.view.withMarkers === view.withMarkers) ?? new Sight(view)
    if (sight.viewers === 0) byType.set(view.type, [...present, sight])
    sight.viewers++
    return sight
  }

  /** The sight has one viewer less, and is forgotten with the last. */
  leave(sight: Sight): void {
    sight.viewers--
    const { type, unitId } = sight.view
    const byType = this.byUnit.get(unitId)
    if (sight.viewers > 0 || byType === undefined) return
    const others = (byType.get(type) ?? []).filter((each) => each !== sight)
    if (others.length > 0) byType.set(type, others)
    else byType.delete(type)
    if (byType.size === 0) this.byUnit.delete(unitId)
  }

  /** Calls `see` with every sight of a marker of that type and unit; null is a marker that says neither. */
  each(type: string | null, unitId: string | null, see: (sight: Sight) => void): void {
    for (const byType of [this.byUnit.get(null), unitId === null ? undefined : this.byUnit.get(unitId)]) {
      if (byType === undefined) continue
      for (const sight of byType.get(null) ?? []) see(sight)
      if (type !== null) for (const sight of byType.get(type) ?? []) see(sight)
    }
  }
}
