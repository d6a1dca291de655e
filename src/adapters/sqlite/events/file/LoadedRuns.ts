import type { KeyFilter } from "../format/KeyFilter.ts"
import type { KeyLayout } from "../format/KeyLayout.ts"
import { type SummaryFilter, SummaryFilters } from "./SummaryFilters.ts"

/** What is in memory of a run of marker ids. */
export interface LoadedRun {
  readonly id: number
  readonly day: number
  readonly keys: number
  readonly layout: KeyLayout
  readonly fences: Uint32Array
  readonly filter: KeyFilter
  /** The summaries that have all of its keys between them; none where it has to be asked itself. */
  summaries: ReadonlyArray<SummaryFilter>
  /** How many look-ups of its environment it has not been asked for; Infinity where it cannot be read. */
  askedBefore: number
}

/** A run that is to be read into a summary, which has room for it. */
export interface Unsummarized {
  readonly environmentId: number
  readonly run: LoadedRun
  readonly summary: SummaryFilter
}

/** Of one environment, in order of age. */
class OwnRuns {
  all: Array<LoadedRun> = []
  /** Those without summaries. */
  alone: Array<LoadedRun> = []
  /** How many ids were looked up while there were runs without summaries. */
  asked = 0
}

/**
 * The runs of all environments, and the summaries over them. A run of an opened file gets into a summary once it was asked for as often as it
 * has ids: until then it costs less to ask than to read it.
 */
export class LoadedRuns {
  private readonly summaries: SummaryFilters
  private readonly owned = new Map<number, OwnRuns>()

  constructor(summaryBytes?: number) {
    this.summaries = new SummaryFilters(summaryBytes)
  }

  clear(): void {
    this.owned.clear()
    this.summaries.retain(new Set())
  }

  get environments(): ReadonlyArray<number> {
    return [...this.owned.keys()]
  }

  private get keys(): number {
    let keys = 0
    for (const { all } of this.owned.values()) for (const run of all) keys += run.keys
    return keys
  }

  of(environmentId: number): ReadonlyArray<LoadedRun> {
    return this.owned.get(environmentId)?.all ?? []
  }

  /** The runs that may have a key with this `keyHash`, the oldest first; their own filters are not asked. */
  candidates(environmentId: number, hash: number, bits: number): ReadonlyArray<LoadedRun> {
    const own = this.owned.get(environmentId)
    if (own === undefined) return []
    if (own.alone.length > 0) own.asked++
    return this.summaries.mayHave(hash, bits) ? own.all : own.alone
  }

  add(environmentId: number, run: Omit<LoadedRun, "askedBefore">): void {
    let own = this.owned.get(environmentId)
    if (own === undefined) this.owned.set(environmentId, (own = new OwnRuns()))
    const loaded = { ...run, askedBefore: own.asked }
    own.all.push(loaded)
    if (run.summaries.length === 0) own.alone.push(loaded)
  }

  /** The summaries of a run with these keys, which are in them from now on. None where there is no room. */
  summarize(hashes: Int32Array): ReadonlyArray<SummaryFilter> {
    const summary = this.summaries.reserve(hashes.length, this.keys)
    if (summary === null) return []
    for (const hash of hashes) summary.add(hash)
    return [summary]
  }

  /** A run that was asked for often enough to be read into a summary; null where there is none. */
  unsummarized(): Unsummarized | null {
    for (const [environmentId, { alone, asked }] of this.owned) {
      const run = alone.find(({ keys, askedBefore }) => asked - askedBefore >= keys)
      const summary = run === undefined ? null : this.summaries.reserve(run.keys, this.keys)
      if (run !== undefined && summary !== null) return { environmentId, run, summary }
    }
    return null
  }

  /** Whether the run is still to be read: it, or the summary, may be gone. */
  isWanted({ environmentId, run, summary }: Unsummarized): boolean {
    return this.owned.get(environmentId)?.alone.includes(run) === true && this.summaries.has(summary)
  }

  /** Notes that the summary has all keys of the run. */
  noteSummarized({ environmentId, run, summary }: Unsummarized): void {
    const own = this.owned.get(environmentId)
    if (own === undefined) return
    run.summaries = [summary]
    own.alone = own.alone.filter((each) => each !== run)
  }

  /** Forgets runs of an environment, and the summaries that have no others. */
  keep(environmentId: number, isKept: (run: LoadedRun) => boolean): void {
    const own = this.owned.get(environmentId)
    if (own === undefined) return
    own.all = own.all.filter(isKept)
    own.alone = own.alone.filter(isKept)
    if (own.all.length === 0) this.owned.delete(environmentId)
    this.summaries.retain(new Set([...this.owned.values()].flatMap(({ all }) => all.flatMap((run) => run.summaries))))
  }
}
