import type { InsightPlan } from "../../../domain/analytics/insight/InsightPlan.ts"
import { type PartialCells, counted, type GroupKeys, namesOf, otherKeys, put } from "./InsightCells.ts"
import type { InsightSource } from "./InsightSources.ts"
import { isCount } from "./Measures.ts"
import { beginningOf } from "./Periods.ts"
import type { Telling } from "./Telling.ts"

/** Groups at most of which every bucket is told; of more, only how many markers each has. */
const mostGroups = 2000

/** The number of markers of a group, and those of its buckets by their beginnings; both lists are empty where there are too many groups. */
export type GroupCounts = readonly [
  keys: GroupKeys,
  markers: number,
  buckets: ReadonlyArray<number>,
  counts: ReadonlyArray<number>
]

/** Whether the numbers of markers are all that the plan asks for. They add up, so the group of all others needs no count of its own. */
export const asksForCounts = ({ metrics }: InsightPlan): boolean => metrics.every(({ measure }) => isCount(measure))

/** Counts the markers of every group and bucket in one statement. */
export const groupCounts = (plan: InsightPlan, { select }: InsightSource, { rows }: Telling) => {
  const names = namesOf("k", plan).join(", ")
  const cells = `select ${names}, ${beginningOf(plan.buckets.boundaries)} as bucket, count() as n from (${select}) group by ${names}, bucket`
  return rows<GroupCounts>(
    `select [${names}]::Array(String), markers, if(groups > ${mostGroups}, [], buckets), if(groups > ${mostGroups}, [], counts) from
      (select ${names}, sum(n) as markers, groupArray(bucket) as buckets, groupArray(n) as counts, count() over () as groups
        from (${cells}) group by ${names})`
  )
}

/** The cells of each metric of the source from the counts of its groups; null where these are without buckets. */
export const cellsOfCounts = (
  plan: InsightPlan,
  { metrics }: InsightSource,
  listed: ReadonlyArray<GroupKeys>,
  groups: ReadonlyArray<GroupCounts>
) => {
  const shown = new Set(listed.map((keys) => JSON.stringify(keys)))
  const others = JSON.stringify(otherKeys(plan))
  const cells: PartialCells = new Map()
  let markers = 0
  for (const [keys, total, buckets, counts] of groups) {
    if (buckets.length === 0) return null
    const own = JSON.stringify(keys)
    const key = shown.has(own) ? own : others
    markers += total
    const add = (bucket: number, count: number): void => {
      put(cells, key, bucket, counted((cells.get(key)?.get(bucket)?.[0] ?? 0) + count))
    }
    for (const [at, bucket] of buckets.entries()) add(bucket, counts[at] ?? 0)
    add(Infinity, total)
  }
  return { cells: metrics.map(() => cells), markers }
}
