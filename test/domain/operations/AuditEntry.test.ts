import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { createHash } from "node:crypto"
import { auditChanges } from "../../../src/domain/operations/audit/AuditChanges.ts"
import {
  type AuditChain,
  chainedText,
  checkEnd,
  checkEntries,
  checkFrom,
  noChain
} from "../../../src/domain/operations/audit/AuditEntry.ts"

const hash = (text: string) => createHash("sha256").update(text).digest("base64url")

interface Link {
  readonly number: number
  readonly text: string
  readonly previous: string
  readonly hash: string
}

const chained = (
  texts: ReadonlyArray<string>
): { readonly chain: AuditChain; readonly entries: ReadonlyArray<Link> } => {
  const entries: Array<Link> = []
  for (const text of texts) {
    const previous = entries.at(-1)?.hash ?? noChain.anchor
    const number = entries.length + 1
    entries.push({ number, text, previous, hash: hash(chainedText(previous, number, text)) })
  }
  return { entries, chain: { ...noChain, last: entries.length, lastHash: entries.at(-1)?.hash ?? noChain.lastHash } }
}

const flawOf = (chain: AuditChain, entries: ReadonlyArray<Link>) => {
  const checked = checkEntries(checkFrom(chain), entries, hash)
  return "next" in checked ? checkEnd(checked, chain) : checked
}

describe("the chain of a log", () => {
  it("is whole as it was written, from wherever it is kept", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 12 }), fc.nat(12), (texts, dropped) => {
        const { chain, entries } = chained(texts)
        const last = entries[Math.min(dropped, entries.length) - 1]
        const kept = last === undefined ? chain : { ...chain, first: last.number + 1, anchor: last.hash }
        assert.isNull(flawOf(kept, entries.slice(kept.first - 1)))
      })
    )
  })

  it("tells the first entry that was changed, exchanged or taken out, also the newest", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 12 }), fc.nat(), (texts, place) => {
        const { chain, entries } = chained(texts)
        const at = place % entries.length
        const forged = entries.with(at, { ...entries[at]!, text: `${entries[at]!.text}!` })
        assert.deepStrictEqual(flawOf(chain, forged), { kind: "changed", number: at + 1 })
        const rehashed = entries.with(at, {
          ...forged[at]!,
          hash: hash(chainedText(entries[at]!.previous, at + 1, forged[at]!.text))
        })
        const noticed = at + 1 === entries.length ? at + 1 : at + 2
        assert.deepStrictEqual(flawOf(chain, rehashed), { kind: "changed", number: noticed })
        assert.deepStrictEqual(flawOf(chain, entries.toSpliced(at, 1)), { kind: "missing", number: at + 1 })
      })
    )
  })
})

describe("what an entry tells of a change", () => {
  const told = (before: Parameters<typeof auditChanges>[0], after: Parameters<typeof auditChanges>[1]) =>
    auditChanges(before, after).changes.map(({ path, before: old, after: new_ }) => `${path}: ${old} → ${new_}`)

  it("is each value that differs, with those of what was not there and of what is gone", () => {
    assert.deepStrictEqual(
      told(
        { name: "Shop", shop: { price: 10, tags: ["a"] }, old: 1 },
        { name: "Shop", shop: { price: 12, tags: ["a"] }, "new key": null }
      ),
      ["shop.price: 10 → 12", "old: 1 → null", '["new key"]: null → null']
    )
    assert.deepStrictEqual(told(null, { name: "A" }), ['name: null → "A"'])
    assert.deepStrictEqual(told({ name: "A" }, null), ['name: "A" → null'])
  })

  it("is what a studio wrote, whatever it calls its keys, and a list of players that changed", () => {
    assert.deepStrictEqual(
      told(
        { configuration: { offer: { key: "gold", players: [1] } }, unitIds: ["a", "b"] },
        { configuration: { offer: { key: "gems", players: [2] } }, unitIds: ["a", "c"] }
      ),
      [
        'configuration.offer.key: "gold" → "gems"',
        "configuration.offer.players: [1] → [2]",
        'unitIds: "[2 players]" → "[2 players]"'
      ]
    )
  })

  it("hides secrets and players, cuts what is long, and counts what it leaves out", () => {
    assert.deepStrictEqual(told(null, { key: "gk_sk_1", inner: { password: "x", units: ["ada"] }, note: "n" }), [
      'key: null → "[hidden]"',
      'inner: null → {"password":"[hidden]","units":"[1 players]"}',
      'note: null → "n"'
    ])
    const [change] = auditChanges(null, { text: "x".repeat(5000) }).changes
    assert.isBelow(change?.after?.length ?? 0, 1100)
    const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`key${index}`, index]))
    const { changes, moreChanges } = auditChanges({}, many)
    assert.deepStrictEqual([changes.length, moreChanges], [200, 50])
  })
})
