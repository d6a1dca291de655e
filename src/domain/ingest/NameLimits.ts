import type { Event } from "../analytics/markers/Event.ts"
import { NamesByType, type TypeNames } from "./NamesByType.ts"
import { type Refusal, refuse } from "./Rejection.ts"

/** How many names one environment may have. */
export interface NameLimits {
  readonly types: number
  /** Arguments and properties of one type. */
  readonly namesOfType: number
  /** Arguments and properties of all types together; a name counts once for each type that has it. */
  readonly names: number
}

/** What is in a bag of values that a set lacks. */
const freshIn = (values: Event["arguments"], known: ReadonlySet<string> | undefined): number => {
  let fresh = 0
  for (const name in values) if (known === undefined || !known.has(name)) fresh++
  return fresh
}

/** Admits the markers of an environment whose types and names are known, or for whose new ones the limits leave room. */
export class AdmittedNames {
  private readonly limits: NameLimits
  private readonly known = new NamesByType()

  constructor(limits: NameLimits, known: ReadonlyArray<TypeNames>) {
    this.limits = limits
    for (const { type, arguments: own, properties } of known) this.known.add(type, own, properties)
  }

  get bytes(): number {
    return this.known.bytes
  }

  /** Why a marker is refused: it would add a type or a name too many. Null takes up what it adds. */
  admit(marker: Pick<Event, "type" | "arguments" | "properties">): Refusal | null {
    const { type } = marker
    const names = this.known.of(type)
    if (names === undefined && this.known.typeCount >= this.limits.types) {
      return refuse("TOO_MANY_TYPES", `The environment has ${this.limits.types} marker types and takes no further one`)
    }
    const fresh = freshIn(marker.arguments, names?.arguments) + freshIn(marker.properties, names?.properties)
    if (fresh === 0 && names !== undefined) return null
    const { namesOfType, names: all } = this.limits
    const ofType = names === undefined ? 0 : names.arguments.size + names.properties.size
    if (fresh > 0 && ofType + fresh > namesOfType) {
      return refuse("TOO_MANY_NAMES", `A marker type has at most ${namesOfType} names of arguments and properties`)
    }
    if (fresh > 0 && this.known.count + fresh > all) {
      return refuse("TOO_MANY_NAMES", `An environment has at most ${all} names of arguments and properties`)
    }
    this.known.add(type, Object.keys(marker.arguments), Object.keys(marker.properties))
    return null
  }
}
