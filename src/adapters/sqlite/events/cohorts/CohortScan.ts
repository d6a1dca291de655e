import type {
  CohortGroup,
  CohortPlan,
  FirstTimeCondition,
  PlannedCondition,
  RestartedCondition,
  SequenceCondition,
  StoppedCondition
} from "../../../../domain/cohorts/CohortPlan.ts"
import { requiresMarkers } from "../../../../domain/cohorts/Grounding.ts"
import { scanBehaviour } from "./BehaviourScan.ts"
import { CohortRows, eachRow } from "./CohortRows.ts"
import { scanProperty } from "./PropertyScan.ts"
import type { Snapshot } from "../read/Snapshot.ts"

const firstTime = ({ selector, window }: FirstTimeCondition, rows: CohortRows): Uint8Array => {
  const first = new Float64Array(rows.units).fill(Infinity)
  for (const selection of rows.all(selector)) {
    const times = selection.block.times()
    eachRow(selection, (unit, row) => {
      if (times[row]! < first[unit]!) first[unit] = times[row]!
    })
  }
  const isInside = rows.inside(window)
  return Uint8Array.from(first, (time, unit) => (time < Infinity && isInside(unit, time) ? 1 : 0))
}

const bit = { first: 1, next: 2 } as const

const sequence = ({ first, next, within, window }: SequenceCondition, rows: CohortRows): Uint8Array => {
  const flags = new Uint8Array(rows.units)
  const marks = [
    ...rows.selected(first, window).map((selection) => ({ selection, bits: bit.first, others: 0 })),
    ...rows.selected(next, window).map((selection) => ({ selection, bits: bit.next, others: 0 }))
  ]
  rows.byUnit(marks).each((unit, { length, times, steps }) => {
    let begun = -Infinity
    let ended = -Infinity
    for (let at = 0; at < length; at++) {
      const time = times[at]!
      const [isFirst, isNext] = [(steps[at]! & bit.first) !== 0, (steps[at]! & bit.next) !== 0]
      // Rows of one instant come in any order, so a row of `next` may come before the row of `first` that it follows.
      if ((isNext && time - begun <= within) || (isFirst && time === ended)) flags[unit] = 1
      if (isFirst) begun = time
      if (isNext) ended = time
    }
  })
  return flags
}

const stopped = ({ selector, window, quietFrom }: StoppedCondition, rows: CohortRows): Uint8Array => {
  const flags = new Uint8Array(rows.units)
  for (const selection of rows.selected(selector, window)) eachRow(selection, (unit) => (flags[unit] = 1))
  for (const selection of rows.selected(selector, { since: "epoch", from: quietFrom, to: Infinity }))
    eachRow(selection, (unit) => (flags[unit] = 0))
  return flags
}

const restarted = ({ selector, window, quietFor }: RestartedCondition, rows: CohortRows): Uint8Array => {
  const flags = new Uint8Array(rows.units)
  const isInside = rows.inside(window)
  const marks = rows.all(selector).map((selection) => ({ selection, bits: 0, others: 0 }))
  rows.byUnit(marks).each((unit, { length, times }) => {
    for (let at = 1; at < length; at++)
      if (times[at]! - times[at - 1]! >= quietFor && isInside(unit, times[at]!)) flags[unit] = 1
  })
  return flags
}

const conditionFlags = (condition: PlannedCondition, rows: CohortRows): Uint8Array => {
  switch (condition.type) {
    case "property":
      return scanProperty(condition, rows)
    case "behaviour":
      return scanBehaviour(condition, rows)
    case "firstTime":
      return firstTime(condition, rows)
    case "sequence":
      return sequence(condition, rows)
    case "stopped":
      return stopped(condition, rows)
    case "restarted":
      return restarted(condition, rows)
    case "reference": {
      const wanted = condition.reference.isIn ? 1 : 0
      return rows.snapshot.membership(condition.reference).map((flag) => (flag === wanted ? 1 : 0))
    }
  }
}

/** By unit number, 1 for each unit that satisfies the group, whether it has a marker or not. */
export const scanGroup = ({ op, negate, children }: CohortGroup, rows: CohortRows): Uint8Array => {
  const all = op === "and"
  const flags = new Uint8Array(rows.units).fill(all ? 1 : 0)
  for (const child of children) {
    const own = "op" in child ? scanGroup(child, rows) : conditionFlags(child, rows)
    if (all) for (let unit = 0; unit < flags.length; unit++) flags[unit]! &= own[unit]!
    else for (let unit = 0; unit < flags.length; unit++) flags[unit]! |= own[unit]!
  }
  if (negate) for (let unit = 0; unit < flags.length; unit++) flags[unit]! ^= 1
  return flags
}

/** By unit number, 1 for each unit that has a marker. */
const withMarkers = ({ environment, control }: Snapshot): Uint8Array => {
  const flags = new Uint8Array(environment.units)
  for (const block of environment.blocks) {
    control.advance(block.rows)
    const units = block.units()
    for (let row = 0; row < units.length; row++) flags[units[row]!] = 1
  }
  return flags
}

/** By unit number, 1 for each member. Equals the domain's pure function over the same markers. */
export const scanCohort = (plan: CohortPlan, snapshot: Snapshot): Uint8Array => {
  const flags = scanGroup(plan, new CohortRows(snapshot))
  if (!requiresMarkers(plan)) {
    const known = withMarkers(snapshot)
    for (let unit = 0; unit < flags.length; unit++) flags[unit]! &= known[unit]!
  }
  flags[0] = 0
  return flags
}
