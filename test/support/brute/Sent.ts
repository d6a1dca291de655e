import { FastCheck as fc } from "effect"
import { marker } from "../analytics/Markers.ts"

type Scalar = string | number | boolean
export type Value = Scalar | ReadonlyArray<Scalar>

/** A marker as a game sends it. `a` is an argument, `p` a property; undefined if it was not sent. */
export interface Sent {
  readonly unit: string | null
  readonly session: string | null
  readonly type: string
  /** Epoch ms. */
  readonly at: number
  readonly a: Value | undefined
  readonly p: Value | undefined
  readonly place: readonly [number, number, number] | null
}

export const types = ["A", "B", "C", "X"]

/** All numbers are multiples of a quarter, so that sums of them are exact in any order. */
const value = fc.constantFrom<Array<Value | undefined>>(
  undefined,
  "",
  "x",
  "Xy",
  0,
  1,
  2.5,
  -4,
  "3",
  "2.5",
  true,
  [],
  ["x", 3],
  ["", "y"]
)

const coordinate = fc.integer({ min: -8, max: 48 }).map((quarters) => quarters / 4)

/** At most 30 markers at ticks 0 to 62 after the origin, often several at the same time. */
export const sent = (origin: number, tick: number): fc.Arbitrary<ReadonlyArray<Sent>> =>
  fc.array(
    fc.record({
      unit: fc.option(fc.constantFrom("u1", "u2", "u3"), { freq: 12 }),
      session: fc.option(fc.constantFrom("s1", "s2")),
      type: fc.constantFrom(...types),
      at: fc.integer({ min: 0, max: 62 }).map((ticks) => origin + ticks * tick),
      a: value,
      p: value,
      place: fc.option(fc.tuple(coordinate, coordinate, coordinate), { freq: 8 })
    }),
    { maxLength: 30 }
  )

/** The markers as a store returns them. */
export const stored = (all: ReadonlyArray<Sent>) =>
  all.map(({ unit, session, type, at, a, p, place }, sequence) =>
    marker(sequence, unit, type, at, {
      session,
      arguments: a === undefined ? {} : { a },
      properties: p === undefined ? {} : { p },
      position: place
    })
  )

/** The number that a value stands for; null if none. */
export const numberIn = (value: Value | undefined): number | null => {
  if (typeof value === "number") return value
  return typeof value === "string" && /^-?[0-9.]+$/.test(value) ? Number(value) : null
}

/** What a breakdown shows of a value. */
export const shown = (value: Value | undefined): Scalar | null => {
  if (value === undefined || value === "") return null
  if (typeof value !== "object") return value
  return value.length === 0 ? null : JSON.stringify(value)
}

const kinds = ["number", "string", "boolean"]

/** Groups of equal size stand in this order: numbers, texts, false, true, null. */
export const inOrder = (one: Scalar | null, two: Scalar | null): number => {
  if (one === two) return 0
  if (one === null) return 1
  if (two === null) return -1
  if (typeof one !== typeof two) return kinds.indexOf(typeof one) - kinds.indexOf(typeof two)
  return one < two ? -1 : 1
}
