import type { Event } from "../analytics/markers/Event.ts"
import type { LiveFrame, LiveKind } from "./LiveKind.ts"
import { liveFrame } from "./LiveKind.ts"
import { Sample } from "./Sample.ts"
import type { RefusedMarker, Sight, View } from "./Sight.ts"
import { Sights } from "./Sights.ts"

/** Types counted by themselves in a second; markers of further ones are counted together. */
const mostTypes = 1000

/** Types named in one event, the most frequent first. */
const mostNamed = { items: 100, bytes: 16 * 1024 }

/** States of cohorts and executions told in a second; of further ones nothing is said. */
const mostStates = 100

interface State {
  readonly kind: LiveKind
  readonly data: object
}

/** What happens in one environment, gathered for those who listen to it. Everything in it is bounded, whatever arrives. */
export class Feed {
  private readonly sights = new Sights()
  private readonly states = new Map<string, State>()
  private counts = new Map<string, number>()
  private total = 0

  /** See `Sights.join`. */
  join(view: View): Sight {
    return this.sights.join(view)
  }

  /** See `Sights.leave`. */
  leave(sight: Sight): void {
    this.sights.leave(sight)
  }

  /** Markers are on disk; `duplicates` holds the indexes of those that were there before. */
  stored(events: ReadonlyArray<Event>, duplicates: ReadonlyArray<number>): void {
    const repeated = duplicates.length === 0 ? undefined : new Set(duplicates)
    for (let at = 0; at < events.length; at++) {
      const event = events[at]
      if (event === undefined || repeated?.has(at) === true) continue
      this.total++
      const count = this.counts.get(event.type) ?? 0
      if (count > 0 || this.counts.size < mostTypes) this.counts.set(event.type, count + 1)
      this.sights.each(event.type, event.unitId, (sight) => sight.addMarker(event))
    }
  }

  /** A marker was refused. */
  refused(marker: RefusedMarker): void {
    this.sights.each(marker.type, marker.unitId, (sight) => sight.addRefused(marker))
  }

  /** Something is in a new state. The last state that it reaches in a second is told. */
  changed(kind: LiveKind, id: string, data: object): void {
    const key = `${kind} ${id}`
    if (this.states.size < mostStates || this.states.has(key)) this.states.set(key, { kind, data })
  }

  /** What was gathered since the last call: `common` is for everybody, `of` answers what else a sight shows. */
  take(at: string): {
    readonly common: ReadonlyArray<LiveFrame>
    readonly of: (sight: Sight) => ReadonlyArray<LiveFrame>
  } {
    const common = [...this.states.values()].map(({ kind, data }) => liveFrame(kind, JSON.stringify(data)))
    const counted = this.total === 0 ? undefined : this.countsText(at)
    this.states.clear()
    this.counts = new Map()
    this.total = 0
    const shown = new Map<Sight, ReadonlyArray<LiveFrame>>()
    const of = (sight: Sight): ReadonlyArray<LiveFrame> => {
      const known = shown.get(sight)
      if (known !== undefined) return known
      const frames = framesOf(sight, at, counted)
      shown.set(sight, frames)
      return frames
    }
    return { common, of }
  }

  private countsText(at: string): string {
    const named = new Sample(mostNamed)
    let sum = 0
    const counts = [...this.counts].sort(([, one], [, other]) => other - one)
    for (const [type, count] of counts) if (named.offer(() => ({ type, count }))) sum += count
    const { items } = named.take()
    return `"at":${JSON.stringify(at)},"total":${this.total},"counts":[${items.join()}],"others":${this.total - sum}`
  }
}

const framesOf = (sight: Sight, at: string, counted: string | undefined): ReadonlyArray<LiveFrame> => {
  const frames: Array<LiveFrame> = []
  const markers = sight.markers.take()
  const refused = sight.refused.take()
  if (counted !== undefined) {
    const samples = sight.view.withMarkers ? `,"items":[${markers.items.join()}],"leftOut":${markers.leftOut}` : ""
    frames.push(liveFrame("markers", `{${counted}${samples}}`))
  }
  if (refused.items.length > 0) {
    const items = refused.items.join()
    frames.push(liveFrame("rejected", `{"at":${JSON.stringify(at)},"items":[${items}],"leftOut":${refused.leftOut}}`))
  }
  return frames
}
