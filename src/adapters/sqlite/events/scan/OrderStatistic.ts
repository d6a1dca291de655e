const sortedUpTo = 128
const valuesPerBucket = 8
const maxBuckets = 4096

/**
 * Finds the k-th smallest of many values. Values are first counted into buckets by size, so that only the buckets asked
 * for need sorting.
 */
export class OrderStatistic {
  private readonly values: Float64Array
  private readonly least: number
  private readonly scale: number
  /** For each bucket, how many values are in the buckets before it. */
  private readonly ranks: Uint32Array
  private opened = -1
  private own: Float64Array | OrderStatistic = new Float64Array(0)

  /** `values` may be in any order; the array is kept, not copied. */
  constructor(values: Float64Array) {
    this.values = values
    const buckets = values.length <= sortedUpTo ? 0 : Math.min(maxBuckets, Math.floor(values.length / valuesPerBucket))
    const [least, most] = boundsOf(values)
    this.least = least
    this.scale = buckets / (most - least)
    this.ranks = new Uint32Array(buckets + 2)
    this.count()
  }

  /** The k-th smallest value, k from 0. */
  at(k: number): number {
    const { ranks } = this
    let low = 0
    let high = ranks.length - 1
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (ranks[middle]! <= k) low = middle
      else high = middle
    }
    if (this.opened !== low) this.open(low)
    const index = k - ranks[low]!
    return this.own instanceof OrderStatistic ? this.own.at(index) : this.own[index]!
  }

  private count(): void {
    const { values, least, scale, ranks } = this
    for (let at = 0; at < values.length; at++) ranks[(((values[at]! - least) * scale) | 0) + 1]!++
    for (let bucket = 1; bucket < ranks.length; bucket++) ranks[bucket]! += ranks[bucket - 1]!
  }

  private open(bucket: number): void {
    const { values, least, scale, ranks } = this
    const own = new Float64Array(ranks[bucket + 1]! - ranks[bucket]!)
    let count = 0
    for (let at = 0; at < values.length; at++) {
      const value = values[at]!
      if ((((value - least) * scale) | 0) === bucket) own[count++] = value
    }
    this.opened = bucket
    this.own = own.length > sortedUpTo && own.length < values.length / 2 ? new OrderStatistic(own) : own.sort()
  }
}

const boundsOf = (values: Float64Array): readonly [least: number, most: number] => {
  let least = Infinity
  let most = -Infinity
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!
    if (value < least) least = value
    if (value > most) most = value
  }
  return [least, most]
}
