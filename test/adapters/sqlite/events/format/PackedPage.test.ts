import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { bigEndian } from "../../../../../src/adapters/sqlite/events/bytes/BitStream.ts"
import { keyPage, packedLayout } from "../../../../../src/adapters/sqlite/events/format/KeyLayout.ts"
import type { KeyPage } from "../../../../../src/adapters/sqlite/events/format/KeyPage.ts"
import { KeyRunBuilder } from "../../../../../src/adapters/sqlite/events/format/KeyRun.ts"
import { packedPageBytes } from "../../../../../src/adapters/sqlite/events/format/PagePacker.ts"
import { runCount } from "../../../../support/Runs.ts"
import { flatRun } from "../FlatRuns.ts"

const word = fc.integer({ min: 0, max: 0xffffffff })
const four = (a: fc.Arbitrary<number>, b: fc.Arbitrary<number>, c: fc.Arbitrary<number>, d: fc.Arbitrary<number>) =>
  fc.tuple(a, b, c, d)
const few = fc.constantFrom(0, 1, 0x7fffffff, 0x80000000, 0xffffffff)

/** Ids of one kind, all the same in the bits that do not matter to it. */
const kinds: ReadonlyArray<readonly [name: string, ids: fc.Arbitrary<ReadonlyArray<number>>]> = [
  ["any", four(word, word, word, word)],
  [
    "UUIDs of version 4",
    four(
      word,
      word.map((b) => ((b & 0xffff0fff) | 0x4000) >>> 0),
      word.map((c) => ((c & 0x3fffffff) | 0x80000000) >>> 0),
      word
    )
  ],
  [
    "UUIDs of version 7",
    four(
      fc.integer({ min: 0x19a0_0000, max: 0x19a0_0003 }),
      word.map((b) => ((b & 0xffff0fff) | 0x7000) >>> 0),
      word.map((c) => ((c & 0x3fffffff) | 0x80000000) >>> 0),
      word
    )
  ],
  [
    "counted in their last word",
    four(fc.constant(7), fc.constant(7), fc.constant(7), fc.integer({ min: 0, max: 5000 }))
  ],
  [
    "counted in their first word",
    four(fc.integer({ min: 0, max: 5000 }), fc.constant(7), fc.constant(7), fc.constant(7))
  ],
  ["in clusters of equal prefixes", four(few, few, fc.constantFrom(5, 6), fc.integer({ min: 0, max: 1000 }))],
  ["of few bits", four(few, few, few, few)]
]

const sequences = fc.oneof(
  fc.integer({ min: 1, max: 1000 }),
  fc.integer({ min: 2 ** 32 - 1000, max: 2 ** 32 + 1000 }),
  fc.integer({ min: 1, max: 2 ** 33 })
)

const keyOf = (id: ReadonlyArray<number>) => Uint32Array.from(id)
const bytesOf = (id: ReadonlyArray<number>) => bigEndian(keyOf(id))
const textOf = (id: ReadonlyArray<number>) => Buffer.from(bytesOf(id)).toString("hex")

const contentOf = (pages: ReadonlyArray<KeyPage>) =>
  pages.flatMap((page) =>
    [...page.sequences()].map((sequence, index) => [page.id(index).replaceAll("-", ""), sequence])
  )

const runOf = (entries: Iterable<readonly [id: ReadonlyArray<number>, sequence: number]>) => {
  const builder = new KeyRunBuilder()
  for (const [id, sequence] of entries) builder.add(bytesOf(id), 0, sequence)
  return builder.finish(1, 20_000)
}

const numbered = (ids: ReadonlyArray<ReadonlyArray<number>>, given: ReadonlyArray<number>) => {
  const unique = new Map(ids.map((id, at) => [textOf(id), [id, given[at % given.length]! + at] as const]))
  return [...unique.values()]
}

describe("Packed pages of marker ids", () => {
  it.each(kinds)("hold what was put in, and nothing else: %s", (_, ids) =>
    fc.assert(
      fc.property(
        fc.array(ids, { minLength: 1, maxLength: 3000, size: "max" }),
        fc.array(sequences, { minLength: 1, maxLength: 5 }),
        fc.array(ids, { maxLength: 50 }),
        fc.array(fc.tuple(fc.nat(), fc.nat(127)), { maxLength: 50 }),
        (all, given, others, flips) => {
          const entries = numbered(all, given)
          const run = runOf(entries)
          const flat = flatRun(run)
          const packed = run.pages.map((page) => keyPage(packedLayout, page))
          const old = flat.pages.map((page) => keyPage(null, page))
          const sorted = entries
            .map(([id, sequence]) => [textOf(id), sequence % 2 ** 32] as const)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
          assert.deepStrictEqual(
            contentOf(packed),
            sorted.map((pair) => [...pair])
          )
          assert.deepStrictEqual(contentOf(old), contentOf(packed))
          assert.strictEqual(run.keys, entries.length)
          for (const [place, page] of packed.entries()) {
            assert.isTrue(page.isWhole)
            assert.isAtMost(run.pages[place]!.length, packedPageBytes)
            assert.deepStrictEqual(
              [...page.records().subarray(0, 2)],
              [...run.fences.subarray(place * 2, place * 2 + 2)]
            )
          }
          const near = flips.map(([at, bit]) => {
            const id = [...entries[at % entries.length]![0]]
            id[bit >>> 5] = (id[bit >>> 5]! ^ (1 << (bit & 31))) >>> 0
            return id
          })
          const known = new Set(sorted.map(([text]) => text))
          for (const id of [...entries.slice(0, 200).map(([own]) => own), ...others, ...near]) {
            const key = keyOf(id)
            const isKnown = known.has(textOf(id))
            assert.strictEqual(
              packed.some((page) => page.has(key)),
              isKnown,
              textOf(id)
            )
            assert.strictEqual(
              old.some((page) => page.has(key)),
              isKnown
            )
            for (const page of packed)
              assert.strictEqual(page.startsAfter(key), page.id(0).replaceAll("-", "") > textOf(id))
          }
        }
      ),
      { numRuns: runCount(20) }
    )
  )

  it("are full, and take less than 16 bytes an id", () => {
    const ids = fc.sample(kinds[1]![1], { numRuns: 20_000, seed: 5 })
    const { pages } = runOf(numbered(ids, [1]))
    for (const page of pages.slice(0, -1)) assert.isAbove(page.length, packedPageBytes - 160)
    assert.isBelow(pages.reduce((sum, page) => sum + page.length, 0) / ids.length, 15.8)
  })

  it("keep one id, and ids of the longest range of sequences", () => {
    const id = [1, 2, 3, 4]
    const [one] = runOf([[id, 2 ** 32 + 5]]).pages
    assert.deepStrictEqual(contentOf([keyPage(packedLayout, one)]), [[textOf(id), 5]])
    const other = [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]
    const { pages } = runOf([
      [id, 1],
      [other, 2 ** 32]
    ])
    assert.deepStrictEqual(contentOf(pages.map((page) => keyPage(packedLayout, page))), [
      [textOf(id), 1],
      [textOf(other), 0]
    ])
  })

  it("are not whole when something is missing", () => {
    const [page] = runOf(numbered(fc.sample(kinds[0]![1], { numRuns: 100, seed: 5 }), [1])).pages
    assert.isFalse(keyPage(packedLayout, page!.slice(0, -8)).isWhole)
    assert.isFalse(
      keyPage(
        packedLayout,
        Uint8Array.from(page!, (byte, at) => (at === 1 ? byte + 1 : byte))
      ).isWhole
    )
  })
})
