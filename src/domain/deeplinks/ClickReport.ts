import { type Buckets, bucketAt, countOf } from "../analytics/time/Buckets.ts"
import type { ClickCount, Origin } from "./Click.ts"
import { slotWidth } from "./Click.ts"

export interface ClickTotals {
  readonly clicks: number
  readonly uniqueClicks: number
  readonly conversions: number
  /** Percent of clicks, rounded to two decimals; 0 without clicks. */
  readonly conversionRate: number
}

export interface Counted extends Origin {
  readonly slot: number
  readonly conversions: number
}

interface Sum {
  clicks: number
  uniqueClicks: number
  conversions: number
}

const nothing = (): Sum => ({ clicks: 0, uniqueClicks: 0, conversions: 0 })

const told = ({ clicks, uniqueClicks, conversions }: Sum): ClickTotals => ({
  clicks,
  uniqueClicks,
  conversions,
  conversionRate: clicks === 0 ? 0 : Math.round((10_000 * conversions) / clicks) / 100
})

const sumOf = <Key>(
  clicks: ReadonlyArray<ClickCount>,
  conversions: ReadonlyArray<Counted>,
  keyOf: (count: Origin & { readonly slot: number }) => Key
): Map<Key, Sum> => {
  const sums = new Map<Key, Sum>()
  const at = (key: Key): Sum => {
    const known = sums.get(key) ?? nothing()
    sums.set(key, known)
    return known
  }
  for (const count of clicks) {
    const sum = at(keyOf(count))
    sum.clicks += count.clicks
    sum.uniqueClicks += count.uniqueClicks
  }
  for (const count of conversions) at(keyOf(count)).conversions += count.conversions
  return sums
}

/** Adds up clicks and conversions. */
export const clickTotals = (clicks: ReadonlyArray<ClickCount>, conversions: ReadonlyArray<Counted>): ClickTotals =>
  told(sumOf(clicks, conversions, () => "all").get("all") ?? nothing())

/** Clicks and conversions by bucket of the click's time. */
export const clicksOverTime = (
  clicks: ReadonlyArray<ClickCount>,
  conversions: ReadonlyArray<Counted>,
  buckets: Buckets
): ReadonlyArray<ClickTotals> => {
  const sums = sumOf(clicks, conversions, ({ slot }) => bucketAt(buckets.boundaries, slot * slotWidth))
  return Array.from({ length: countOf(buckets) }, (_, index) => told(sums.get(index) ?? nothing()))
}

/** Origins told apart; those with fewer clicks are `Other`. */
export const maxOrigins = 100

/** Clicks and conversions by one trait of the origin, most clicks first. */
export const clicksByOrigin = (
  clicks: ReadonlyArray<ClickCount>,
  conversions: ReadonlyArray<Counted>,
  trait: keyof Origin
): ReadonlyArray<ClickTotals & { readonly value: string | null }> => {
  const sums = [...sumOf(clicks, conversions, (count): string | null => count[trait])].toSorted(
    ([a, one], [b, other]) =>
      other.clicks - one.clicks || other.conversions - one.conversions || ((a ?? "") < (b ?? "") ? -1 : 1)
  )
  const rest = sums.slice(maxOrigins).reduce(
    (sum, [, each]) => ({
      clicks: sum.clicks + each.clicks,
      uniqueClicks: sum.uniqueClicks + each.uniqueClicks,
      conversions: sum.conversions + each.conversions
    }),
    nothing()
  )
  const named = sums.slice(0, maxOrigins).map(([value, sum]) => ({ value, ...told(sum) }))
  return sums.length > maxOrigins ? [...named, { value: "Other", ...told(rest) }] : named
}
