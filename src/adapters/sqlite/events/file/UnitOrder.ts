import { byCodePoint } from "../../../../domain/CodePointOrder.ts"

/** Units whose id begins with `prefix`, in the order of their ids by code points, after one of them or from the first on. */
export interface UnitOrder {
  readonly prefix: string
  readonly after: string | null
  readonly direction: "ascending" | "descending"
}

export interface NamedUnit {
  readonly unit: number
  readonly name: string
}

/** Negative when `a` comes before `b`. */
export const comparison = ({ direction }: UnitOrder): ((a: string, b: string) => number) =>
  direction === "ascending" ? byCodePoint : (a, b) => byCodePoint(b, a)

/** Two lists in the same order as one; both are ended when the reader stops early. */
export function* merged(
  first: Iterable<NamedUnit>,
  second: Iterable<NamedUnit>,
  order: UnitOrder
): Generator<NamedUnit, void, undefined> {
  const compare = comparison(order)
  const others = second[Symbol.iterator]()
  try {
    let other = others.next()
    for (const one of first) {
      while (other.done !== true && compare(other.value.name, one.name) < 0) {
        yield other.value
        other = others.next()
      }
      yield one
    }
    for (; other.done !== true; other = others.next()) yield other.value
  } finally {
    others.return?.()
  }
}
