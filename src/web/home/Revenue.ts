import type { Answer } from "../api/Wire.ts"

type Types = ReadonlyArray<Pick<Answer<"markers.types">[number], "name" | "status" | "count30d">>
type Arguments = ReadonlyArray<Pick<Answer<"markers.arguments">[number], "name" | "dataType" | "markerTypes">>

/** The argument whose sum stands for revenue. */
export interface Revenue {
  readonly marker: string
  readonly argument: string
}

const purchases = /purchase|payment|bought|iap|checkout/i
const amounts: ReadonlySet<string> = new Set(["revenue", "price", "amount", "usd", "eur", "value"])

/**
 * What can be called revenue without guessing: the most frequent marker that is named like a purchase, with the one argument of
 * numbers that is named like an amount. Null where no marker is like that, or where two of its arguments could be meant.
 */
export const revenueOf = (types: Types, args: Arguments): Revenue | null => {
  const candidates = types
    .filter(({ name, status }) => status !== "hidden" && purchases.test(name))
    .toSorted((left, right) => right.count30d - left.count30d)
  for (const { name: marker } of candidates) {
    const found = args.filter(
      ({ name, dataType, markerTypes }) =>
        dataType === "number" && markerTypes.includes(marker) && amounts.has(name.toLowerCase())
    )
    const [only, other] = found
    if (only !== undefined && other === undefined) return { marker, argument: only.name }
  }
  return null
}
