import { dayMillis } from "../../Durations.ts"
import { dataTypes } from "../question/Question.ts"
import type { NameFacts } from "./Catalogue.ts"

/**
 * Takes what some markers said of a name from what all markers said of it. A value that no other marker has goes, with its first sight;
 * counts of values that were never all kept may have been less than those that are taken. Answers whether any marker is left that has the name.
 */
export const takeFrom = (facts: NameFacts, gone: NameFacts): boolean => {
  for (const kind of dataTypes) facts.kinds[kind] = Math.max(0, facts.kinds[kind] - gone.kinds[kind])
  for (const [value, count] of gone.values) {
    const left = (facts.values.get(value) ?? 0) - count
    if (left > 0) {
      facts.values.set(value, left)
      continue
    }
    facts.values.delete(value)
    facts.firstSights?.delete(value)
  }
  return dataTypes.some((kind) => facts.kinds[kind] > 0)
}

/** A UTC day (days since 1970) and how many markers of a type were counted on it, those that retention has deleted since among them. */
export interface CountedDay {
  readonly day: number
  readonly events: number
}

/** The markers of a type on one day that can still be read: how many, and the first and the last of them (epoch ms). */
export interface DayLeft {
  readonly events: number
  readonly first: number
  readonly last: number
}

/**
 * When a type was first seen (epoch ms), once markers are gone of which one was the first: `day` is the first that is still counted. Where
 * more were counted on it than can be read, the rest is past retention and only the day is known.
 */
export const firstLeft = (known: number, { day, events }: CountedDay, left: DayLeft): number =>
  left.events === events ? left.first : Math.max(known, day * dayMillis)

/** As `firstLeft`, for the instant at which a type was last seen and the last day that is still counted. */
export const lastLeft = (known: number, { day, events }: CountedDay, left: DayLeft): number =>
  left.events === events ? left.last : Math.min(known, (day + 1) * dayMillis - 1)
