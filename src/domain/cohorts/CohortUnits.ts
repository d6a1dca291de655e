import { byTime, type StoredEvent, valueNamed } from "../analytics/markers/Event.ts"
import { elementTest, unfiltered, type Reference } from "../analytics/filter/Filter.ts"
import { groupBy } from "../analytics/filter/Grouping.ts"
import type { Memberships } from "../analytics/filter/Memberships.ts"
import { resolving, unitsOf } from "../analytics/question/References.ts"
import { type Selector, selectorTest } from "../analytics/filter/Selector.ts"
import { dayStarts } from "../analytics/time/LocalDays.ts"
import { exactSum } from "../analytics/insight/Sum.ts"
import { elementsOf, numberOf } from "../analytics/filter/Value.ts"
import type {
  BehaviourCondition,
  CohortGroup,
  CohortPlan,
  PlannedCondition,
  PlannedWindow,
  PropertyCondition,
  RestartedCondition,
  SequenceCondition
} from "./CohortPlan.ts"
import { quantityTest } from "./Quantity.ts"

/** A unit and its markers, at least one, ordered by (timestamp, sequence). */
interface Unit {
  readonly id: string
  readonly events: ReadonlyArray<StoredEvent>
}

type Test = (unit: Unit) => boolean

const inside = ({ since, from, to }: PlannedWindow, { events }: Unit): ((event: StoredEvent) => boolean) => {
  const origin = since === "epoch" ? 0 : events[0]!.timestamp
  return ({ timestamp }) => timestamp - origin >= from && timestamp - origin < to
}

/** Over the values of the selected markers, by (timestamp, sequence). */
const measured = (
  { measure, argument, zone }: BehaviourCondition,
  events: ReadonlyArray<StoredEvent>
): number | null => {
  if (measure === "count") return events.length
  if (measure === "distinctDays") {
    const dayOf = dayStarts(zone)
    return new Set(events.map(({ timestamp }) => dayOf(timestamp))).size
  }
  const values = events
    .map((event) => numberOf(valueNamed(event.arguments, argument)))
    .filter((value) => value !== null)
  if (measure === "sum") return exactSum(values)
  if (values.length === 0) return null
  if (measure === "average") return exactSum(values) / values.length
  const least = (a: number, b: number) => (measure === "min" ? Math.min(a, b) : Math.max(a, b))
  return values.reduce(least)
}

const propertyTest = ({ comparison: { name, operator, operands } }: PropertyCondition): Test => {
  const holds = elementTest(operator, operands)
  const elements = ({ properties }: StoredEvent) => elementsOf(valueNamed(properties, name))
  return ({ events }) => {
    const latest = events.findLast((event) => elements(event).length > 0)
    return holds(latest === undefined ? [] : elements(latest))
  }
}

/** A selector as a test, with its references resolved. */
type Selecting = (selector: Selector) => (event: StoredEvent) => boolean

const behaviourTest = (condition: BehaviourCondition, selecting: Selecting): Test => {
  const { did, operator, value, window } = condition
  const isSelected = selecting(condition.selector)
  const accepts = quantityTest(operator, value)
  return (unit) => {
    const isInside = inside(window, unit)
    const own = unit.events.filter((event) => isSelected(event) && isInside(event))
    return accepts(measured(condition, own)) === did
  }
}

const sequenceTest = ({ first, next, within, window }: SequenceCondition, selecting: Selecting): Test => {
  const [isFirst, isNext] = [selecting(first), selecting(next)]
  return (unit) => {
    const own = unit.events.filter(inside(window, unit))
    const ends = own.filter(isNext)
    return own.filter(isFirst).some((begun) =>
      ends.some((end) => {
        const passed = end.timestamp - begun.timestamp
        return end !== begun && passed >= 0 && passed <= within
      })
    )
  }
}

const restartedTest = ({ selector, window, quietFor }: RestartedCondition, selecting: Selecting): Test => {
  const isSelected = selecting(selector)
  return (unit) => {
    const own = unit.events.filter(isSelected)
    const isInside = inside(window, unit)
    return own.some((event, at) => at > 0 && isInside(event) && event.timestamp - own[at - 1]!.timestamp >= quietFor)
  }
}

const conditionTest = (condition: PlannedCondition, memberships: Memberships, selecting: Selecting): Test => {
  switch (condition.type) {
    case "property":
      return propertyTest(condition)
    case "behaviour":
      return behaviourTest(condition, selecting)
    case "firstTime": {
      const isSelected = selecting(condition.selector)
      return (unit) => unit.events.filter(isSelected).slice(0, 1).some(inside(condition.window, unit))
    }
    case "sequence":
      return sequenceTest(condition, selecting)
    case "stopped": {
      const isSelected = selecting(condition.selector)
      return (unit) => {
        const own = unit.events.filter(isSelected)
        return own.some(inside(condition.window, unit)) && own.every(({ timestamp }) => timestamp < condition.quietFrom)
      }
    }
    case "restarted":
      return restartedTest(condition, selecting)
    case "reference":
      return referenceTest(condition.reference, memberships)
  }
}

const referenceTest = (reference: Reference, memberships: Memberships): Test => {
  const { units } = unitsOf(reference, memberships)
  return ({ id }) => units.has(id) === reference.isIn
}

const groupTest = (group: CohortGroup, memberships: Memberships, selecting: Selecting): Test => {
  const tests = group.children.map((child) =>
    "op" in child ? groupTest(child, memberships, selecting) : conditionTest(child, memberships, selecting)
  )
  return (unit) =>
    (group.op === "and" ? tests.every((test) => test(unit)) : tests.some((test) => test(unit))) !== group.negate
}

/** The definition of membership: the units that satisfy the plan, from all markers of one environment in any order. */
export const cohortUnits = (
  events: ReadonlyArray<StoredEvent>,
  plan: CohortPlan,
  memberships: Memberships
): ReadonlySet<string> => {
  const { condition } = resolving(memberships)
  const selecting: Selecting = ({ types, filter }) =>
    selectorTest({ types, filter: { ...filter, conditions: filter.conditions.map(condition) } }, unfiltered)
  const belongs = groupTest(plan, memberships, selecting)
  const byUnit = groupBy(events.toSorted(byTime), ({ unitId }) => unitId)
  const members = new Set<string>()
  for (const [id, own] of byUnit) if (id !== null && belongs({ id, events: own })) members.add(id)
  return members
}
