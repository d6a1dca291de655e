import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Bucketing from "../../../src/domain/experiments/Bucketing.ts"
import { fnv1a32, hash } from "../../../src/domain/experiments/Hash.ts"
import { sharesOf } from "../../../src/domain/experiments/Layer.ts"
import { next } from "../../../src/domain/experiments/RoundRobin.ts"
import * as ChiSquare from "../../../src/domain/experiments/statistics/ChiSquare.ts"
import { vectors as published } from "../../support/Vectors.ts"
import { runCount } from "../../support/Runs.ts"

interface Vectors {
  readonly cases: {
    readonly hash: ReadonlyArray<{ seed: string; value: string; version: number; n: number | null }>
    readonly chooseVariation: ReadonlyArray<{
      n: number
      ranges: ReadonlyArray<Bucketing.PlaceRange>
      variation: number
    }>
    readonly getBucketRange: ReadonlyArray<{
      numVariations: number
      coverage: number
      weights: ReadonlyArray<number> | null
      ranges: ReadonlyArray<Bucketing.PlaceRange>
    }>
  }
}

describe("hash", () => {
  const cases = published<Vectors>("growthbook-hash.json").cases

  it("agrees with the published vectors", () => {
    for (const { seed, value, version, n } of cases.hash) {
      assert.strictEqual(hash(seed, value, version), n, `${seed} ${value} ${version}`)
    }
  })

  it("places fall into the published variations", () => {
    for (const { n, ranges, variation } of cases.chooseVariation) {
      assert.strictEqual(Bucketing.choose(n, ranges), variation)
    }
  })

  it("weights make the published ranges (left out: coverage other than 1, which is enrolment here and hashed apart; weights refused at creation)", () => {
    for (const { numVariations, coverage, weights, ranges } of cases.getBucketRange) {
      const isRefusedAtCreation =
        weights !== null &&
        (weights.length !== numVariations ||
          Math.abs(weights[0]! + weights.slice(1).reduce((sum, weight) => sum + weight, 0) - 1) > 1e-9)
      if (coverage !== 1 || isRefusedAtCreation) continue
      const fractions = weights ?? Array.from({ length: numVariations }, () => 1 / numVariations)
      for (const [index, [from, to]] of Bucketing.ranges(fractions).entries()) {
        assert.approximately(from, ranges[index]![0], 1e-12)
        assert.approximately(to, ranges[index]![1], 1e-12)
      }
    }
  })

  it("is that of the digits of the hash of seed and id, however long either is", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string({ unit: "binary" }), FastCheck.string({ unit: "binary" }), (seed, id) => {
        assert.strictEqual(hash(seed, id, 2), (fnv1a32(String(fnv1a32(seed + id))) % 10_000) / 10_000)
        assert.strictEqual(hash(seed, id, 1), (fnv1a32(id + seed) % 1_000) / 1_000)
      }),
      { numRuns: runCount(5000) }
    )
  })

  it("is FNV-1a of 32 bits (vectors of the reference implementation)", () => {
    assert.strictEqual(fnv1a32(""), 0x811c9dc5)
    assert.strictEqual(fnv1a32("a"), 0xe40c292c)
    assert.strictEqual(fnv1a32("foobar"), 0xbf9cf968)
  })

  it("takes UTF-16 code units, not bytes or code points", () => {
    assert.strictEqual(fnv1a32("😀"), fnv1a32("\ud83d\ude00"))
    assert.notStrictEqual(fnv1a32("é"), fnv1a32("Ã©"))
  })
})

const seed: Bucketing.Seed = { seed: "experiment-7", hashVersion: 2 }
const ids = Array.from({ length: 20_000 }, (_, index) => `player-${index}`)
const unitId = FastCheck.string({ maxLength: 12 })
const weights = FastCheck.array(FastCheck.nat(10_000), { minLength: 2, maxLength: 8 })

describe("bucketing", () => {
  it("puts the same id into the same arm in every process and release", () => {
    const arms = ["a", "b", "player-1", "7c9e6679", "1234567890", "é😀"].map((id) => [
      Bucketing.isEnrolled(seed, id, 50),
      Bucketing.arm(seed, id, [3_000, 3_000, 4_000]),
      Bucketing.layerSlot("economy", id)
    ])
    assert.deepStrictEqual(arms, [
      [false, 2, 837],
      [false, 2, 5_945],
      [true, 0, 6_987],
      [true, 0, 824],
      [true, 2, 4_979],
      [false, 2, 436]
    ])
  })

  it("a greater percent keeps all units of a smaller one; 0 takes none, 100 all", () => {
    const percent = FastCheck.double({ min: 0, max: 100, noNaN: true })
    FastCheck.assert(
      FastCheck.property(unitId, percent, percent, (id, a, b) => {
        if (Bucketing.isEnrolled(seed, id, Math.min(a, b)))
          assert.isTrue(Bucketing.isEnrolled(seed, id, Math.max(a, b)))
        assert.isFalse(Bucketing.isEnrolled(seed, id, 0))
        assert.isTrue(Bucketing.isEnrolled(seed, id, 100))
        if (Bucketing.isHeldOut("x", id, Math.min(a, b))) assert.isTrue(Bucketing.isHeldOut("x", id, Math.max(a, b)))
      }),
      { numRuns: runCount(2_000) }
    )
  })

  it("chooses an arm with weight whenever there is one, the same for weights in proportion", () => {
    FastCheck.assert(
      FastCheck.property(unitId, weights, (id, weights) => {
        const index = Bucketing.arm(seed, id, weights)
        assert.strictEqual(
          index === null,
          weights.every((weight) => weight === 0)
        )
        if (index !== null) assert.isAbove(weights[index]!, 0)
        assert.strictEqual(
          Bucketing.arm(
            seed,
            id,
            weights.map((weight) => weight * 2)
          ),
          index
        )
      }),
      { numRuns: runCount(2_000) }
    )
  })

  it("nobody is enrolled by a hash version that is not known", () => {
    assert.isFalse(Bucketing.isEnrolled({ ...seed, hashVersion: 3 }, "a", 100))
    assert.isNull(Bucketing.arm({ ...seed, hashVersion: 3 }, "a", [10_000]))
  })

  it("keeps the arms' shares within binomial bounds while enrolment grows from 10 % to 100 %", () => {
    for (const shares of [
      [5_000, 5_000],
      [9_000, 1_000],
      [3_000, 3_000, 4_000],
      [1_250, 1_250, 2_500, 5_000]
    ]) {
      for (let percent = 10; percent <= 100; percent += 10) {
        const enrolled = ids.filter((id) => Bucketing.isEnrolled(seed, id, percent))
        assert.approximately(enrolled.length / ids.length, percent / 100, 4 * Math.sqrt(0.25 / ids.length))
        for (const [ordinal, weight] of shares.entries()) {
          const share = weight / 10_000
          const members = enrolled.filter((id) => Bucketing.arm(seed, id, shares) === ordinal).length
          const bound = 4 * Math.sqrt((share * (1 - share)) / enrolled.length)
          assert.approximately(
            members / enrolled.length,
            share,
            bound,
            `${percent} % ${shares.join("/")} arm ${ordinal}`
          )
        }
      }
    }
  })

  it("enrolment, arm, layer slot and the arms of another experiment tell nothing of each other", () => {
    const half = (place: boolean | number | null) => (place === true || place === 1 ? 1 : 0)
    const traits = (id: string) => [
      half(Bucketing.isEnrolled(seed, id, 50)),
      half(Bucketing.arm(seed, id, [5_000, 5_000])),
      half(Bucketing.layerSlot("economy", id) < 5_000),
      half(Bucketing.isHeldOut("economy", id, 50)),
      half(Bucketing.arm({ ...seed, seed: "experiment-8" }, id, [5_000, 5_000]))
    ]
    const rows = ids.map(traits)
    for (let first = 0; first < 5; first++) {
      for (let second = 0; second < first; second++) {
        const counts = [0, 0, 0, 0]
        for (const row of rows) counts[row[first]! * 2 + row[second]!]!++
        const chiSquare = counts.reduce((sum, count) => sum + (count - 5_000) ** 2 / 5_000, 0)
        assert.isAbove(ChiSquare.tail(chiSquare, 3), 0.0005, `${first} and ${second}`)
      }
    }
  })
})

describe("exclusion layer", () => {
  it("running experiments of a layer on one type of units share all of it, and no slot belongs to two", () => {
    const experiment = FastCheck.record({
      exclusionLayer: FastCheck.constantFrom("ui", "shop", null),
      unitType: FastCheck.constantFrom("user" as const, "server" as const)
    })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(experiment, { maxLength: 12 }), FastCheck.nat(9_999), (all, slot) => {
        const shares = sharesOf(all.map((each, id) => ({ id, ...each })))
        assert.strictEqual(shares.size, all.filter(({ exclusionLayer }) => exclusionLayer !== null).length)
        for (const wanted of all) {
          const own = [...shares].filter(([id, { layer, slots }]) => {
            assert.strictEqual(layer, all[id]?.exclusionLayer)
            const isAlike = layer === wanted.exclusionLayer && all[id]?.unitType === wanted.unitType
            return isAlike && slots[0] <= slot && slot < slots[1]
          })
          assert.lengthOf(own, wanted.exclusionLayer === null ? 0 : 1)
        }
      }),
      { numRuns: runCount(2_000) }
    )
  })
})

describe("round robin", () => {
  it("never lets a group run ahead of its turn, whatever the weights and the start", () => {
    const groups = FastCheck.array(FastCheck.record({ weight: FastCheck.nat(20), assigned: FastCheck.nat(5) }), {
      minLength: 2,
      maxLength: 5
    })
    FastCheck.assert(
      FastCheck.property(groups, FastCheck.integer({ min: 1, max: 60 }), (groups, turns) => {
        const tallies = groups.map((group) => ({ ...group }))
        for (let turn = 0; turn < turns; turn++) {
          const index = next(tallies)
          if (index === null) {
            assert.isTrue(groups.every(({ weight }) => weight === 0))
            return
          }
          const chosen = tallies[index]!
          for (const { weight, assigned } of tallies) {
            if (weight > 0) assert.isAtMost(chosen.assigned / chosen.weight, assigned / weight + 1e-12)
          }
          tallies[index] = { ...chosen, assigned: chosen.assigned + 1 }
        }
        for (const [index, { weight, assigned }] of groups.entries()) {
          if (weight === 0) assert.strictEqual(tallies[index]!.assigned, assigned)
        }
      }),
      { numRuns: runCount(1_000) }
    )
  })

  it("deals 10,000 units exactly by basis points", () => {
    const tallies = [2_500, 2_500, 5_000, 0].map((weight) => ({ weight, assigned: 0 }))
    for (let unit = 0; unit < 10_000; unit++) tallies[next(tallies)!]!.assigned++
    assert.deepStrictEqual(
      tallies.map(({ assigned }) => assigned),
      [2_500, 2_500, 5_000, 0]
    )
  })
})
