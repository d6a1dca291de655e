import { groupValue } from "../filter/Value.ts"
import { selectorTest } from "../filter/Selector.ts"
import type { Scalar, StoredEvent, Value } from "../markers/Event.ts"
import { areaTest, type MarkersInArea } from "./HeatmapUnits.ts"

/** What the arguments of a heatmap's markers in an area say. Counted are at most `names` arguments, and `values` values of each; both at least 1. */
export interface HeatmapArgumentsPlan extends MarkersInArea {
  readonly names: number
  readonly values: number
}

/** A value of an argument; a list is its JSON text. */
export interface CountedValue {
  readonly value: Scalar
  readonly count: number
}

export interface CountedArgument {
  readonly name: string
  /** By frequency. */
  readonly values: ReadonlyArray<CountedValue>
}

export interface HeatmapArguments {
  /** All markers in the area. */
  readonly markers: number
  /** First those whose most frequent value is the most frequent. */
  readonly arguments: ReadonlyArray<CountedArgument>
}

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

const byCount = (one: CountedValue, other: CountedValue): number =>
  other.count - one.count ||
  byText(String(one.value), String(other.value)) ||
  byText(typeof one.value, typeof other.value)

/** Counts values of arguments, all of them, so that the most frequent are exact. */
export class ArgumentCounts {
  markers = 0
  private readonly names = new Map<string, Map<Scalar, number>>()

  /** A missing value, the empty text and the empty list are not counted. */
  add(name: string, value: Value | undefined, count: number): void {
    const counted = groupValue(value)
    if (counted === null || count === 0) return
    let counts = this.names.get(name)
    if (counts === undefined) this.names.set(name, (counts = new Map()))
    counts.set(counted, (counts.get(counted) ?? 0) + count)
  }

  /** The most frequent values of the arguments that tell most of the markers. */
  most({ names, values }: Pick<HeatmapArgumentsPlan, "names" | "values">): HeatmapArguments {
    const told = [...this.names].map(([name, counts]) => ({
      name,
      values: [...counts]
        .map(([value, count]) => ({ value, count }))
        .sort(byCount)
        .slice(0, values)
    }))
    const most = ({ values: [first] }: CountedArgument): number => first?.count ?? 0
    return {
      markers: this.markers,
      arguments: told.sort((one, other) => most(other) - most(one) || byText(one.name, other.name)).slice(0, names)
    }
  }
}

/** What the arguments of a heatmap's markers in an area say. A marker that is selected twice counts twice, as on the heatmap. */
export const heatmapArguments = (events: ReadonlyArray<StoredEvent>, plan: HeatmapArgumentsPlan): HeatmapArguments => {
  const { range, selectors, filter } = plan.heatmap
  const isInside = areaTest(plan)
  const counts = new ArgumentCounts()
  for (const isSelected of selectors.map((selector) => selectorTest(selector, filter)))
    for (const event of events) {
      const { timestamp, position } = event
      if (position === null || timestamp < range.from || timestamp >= range.to) continue
      if (!isInside(...position) || !isSelected(event)) continue
      counts.markers++
      for (const name in event.arguments) counts.add(name, event.arguments[name], 1)
    }
  return counts.most(plan)
}
