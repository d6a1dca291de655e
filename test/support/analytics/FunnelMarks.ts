import { FastCheck as fc } from "effect"
import type { FunnelTrack } from "../../../src/domain/analytics/funnel/FunnelTrack.ts"

/** A marker as a funnel sees it. */
export interface Mark {
  readonly time: number
  readonly steps: number
  readonly exclusions: number
}

/** The mark without its exclusions. */
export const stepping = ({ time, steps }: Mark, at = time): Mark => ({ time: at, steps, exclusions: 0 })

/** Markers as the track of one unit. */
export const track = (marks: ReadonlyArray<Mark>): FunnelTrack => ({
  length: marks.length,
  times: marks.map(({ time }) => time),
  steps: marks.map(({ steps }) => steps),
  exclusions: marks.map(({ exclusions }) => exclusions)
})

/** Markers of instants from 0 to `ticks`, ascending, whose steps are drawn from `bits`; a few discard attempts. */
export const anyMarks = (steps: number, ticks: number, most: number, bits: fc.Arbitrary<number>) =>
  fc
    .array(
      fc.record({
        time: fc.integer({ min: 0, max: ticks }),
        steps: bits,
        exclusions: fc.oneof(
          { weight: 5, arbitrary: fc.constant(0) },
          { weight: 1, arbitrary: fc.integer({ min: 0, max: 2 ** (steps - 1) - 1 }) }
        )
      }),
      { maxLength: most }
    )
    .map((marks) => marks.toSorted((a, b) => a.time - b.time))

/** Any set of steps. */
export const anyBits = (steps: number) => fc.integer({ min: 0, max: 2 ** steps - 1 })

/** One step. */
export const oneBit = (steps: number) => fc.integer({ min: 0, max: steps - 1 }).map((step) => 1 << step)
