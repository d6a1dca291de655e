import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import {
  bytesOfRow,
  GatheredRows,
  type Kept,
  trackOf
} from "../../../../../src/adapters/sqlite/events/read/GatheredRows.ts"
import { runCount } from "../../../../support/Runs.ts"

const keptArbitrary = fc.record({
  sequences: fc.boolean(),
  isNarrow: fc.boolean(),
  exclusions: fc.boolean(),
  numberings: fc.integer({ min: 0, max: 2 })
})

const word = fc.integer({ min: 0, max: 2 ** 32 - 1 })

/** The year 9999 ends before this, in milliseconds. */
const latest = 253_402_300_800_000

const rowArbitrary = fc.record({
  time: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: latest })),
  sequence: fc.maxSafeNat(),
  narrow: fc.integer({ min: 0, max: 255 }),
  wide: word,
  exclusions: word,
  numbers: fc.tuple(fc.integer({ min: -1 }), fc.integer({ min: -1 }))
})

type Row = typeof rowArbitrary extends fc.Arbitrary<infer Value> ? Value : never

const gatheredRows = (kept: Kept, rows: ReadonlyArray<Row>, firstTimestamp: number): GatheredRows => {
  const all = new GatheredRows(kept, rows.length, firstTimestamp)
  rows.forEach(({ time, sequence, narrow, wide, exclusions, numbers }, place) => {
    all.write(place, firstTimestamp + time, kept.isNarrow ? narrow : wide)
    if (kept.sequences) all.writeSequence(place, sequence)
    if (kept.exclusions) all.writeExclusions(place, exclusions)
    for (let own = 0; own < kept.numberings; own++) all.writeNumber(place, own, numbers[own]!)
  })
  return all
}

describe("rows gathered by unit", () => {
  it("take the bytes that a question counts for them, whatever is kept of them", () => {
    fc.assert(
      fc.property(keptArbitrary, fc.array(rowArbitrary), (kept, rows) => {
        assert.strictEqual(gatheredRows(kept, rows, 0).words.buffer.byteLength, rows.length * bytesOfRow(kept))
      }),
      { numRuns: runCount(100) }
    )
  })

  it("come back as they were written, in the order of time and, where it is kept, of sequence", () => {
    fc.assert(
      fc.property(
        keptArbitrary,
        fc.uniqueArray(rowArbitrary, { minLength: 1, selector: ({ sequence }) => sequence }),
        fc.nat({ max: 5 }),
        fc.constantFrom(-latest / 100, 0, 1_700_000_000_000),
        (kept, rows, before, firstTimestamp) => {
          const others = rows.slice(0, before)
          const all = gatheredRows(kept, [...others, ...rows], firstTimestamp)
          const track = trackOf(rows.length, kept.numberings)
          all.fill(track, others.length, rows.length)
          const ordered = rows.toSorted((a, b) => a.time - b.time || (kept.sequences ? a.sequence - b.sequence : 0))
          const columns = (of: ReadonlyArray<Row>) => ({
            times: of.map(({ time }) => firstTimestamp + time),
            steps: of.map(({ narrow, wide }) => (kept.isNarrow ? narrow : wide)),
            sequences: kept.sequences ? of.map(({ sequence }) => sequence) : [],
            exclusions: kept.exclusions ? of.map(({ exclusions }) => exclusions) : [],
            numbers: [0, 1].slice(0, kept.numberings).map((own) => of.map(({ numbers }) => numbers[own]))
          })
          assert.deepStrictEqual(
            {
              times: [...track.times.subarray(0, track.length)],
              steps: [...track.steps.subarray(0, track.length)],
              sequences: kept.sequences ? [...track.sequences.subarray(0, track.length)] : [],
              exclusions: kept.exclusions ? [...track.exclusions.subarray(0, track.length)] : [],
              numbers: track.numbers.map((own) => [...own.subarray(0, track.length)])
            },
            columns(ordered)
          )
        }
      ),
      { numRuns: runCount(300) }
    )
  })
})
