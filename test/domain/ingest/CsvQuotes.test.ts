import { assert, describe, it } from "@effect/vitest"
import { parse } from "csv-parse/sync"
import { Either, FastCheck as fc } from "effect"
import { faultAtEnd, mostQuotedBytes, nothingSeen, seeQuotes } from "../../../src/domain/ingest/CsvQuotes.ts"

/** What is wrong with a file that comes in these pieces; undefined where nothing is. */
const faultOf = (pieces: ReadonlyArray<Uint8Array>): string | undefined => {
  let seen = nothingSeen
  for (const piece of pieces) {
    const next = seeQuotes(seen, piece)
    if (Either.isLeft(next)) return next.left
    seen = next.right
  }
  return faultAtEnd(seen)
}

const bytesOf = (text: string) => Buffer.from(text)

describe("quotes in CSV", () => {
  it.each([
    ['a,b\n1,"x', "the quote that opens in line 2 never closes"],
    ['a,b\r\n1,"x\r\ny","z\r\n\r\n', "the quote that opens in line 3 never closes"],
    ['a,b\r1,"x\r', "the quote that opens in line 2 never closes"],
    ['a\n"1""\n2""\n3', "the quote that opens in line 2 never closes"],
    ['a,b\n1,"x\n2,y\n3,"z"\n', "a cell goes on behind its closing quote in line 4; its opening quote is in line 2"],
    ['a\n1\n5" disk\n', "a quote stands within a cell without quotes in line 3"],
    ['a,b\n1,"x""y"\n"","\n"\n', undefined],
    ['\uFEFF"a","b"\n1,2', undefined],
    ["", undefined]
  ])("%j", (text, fault) => {
    assert.strictEqual(faultOf([bytesOf(text)]), fault)
    assert.strictEqual(faultOf([...bytesOf(text)].map((byte) => Uint8Array.of(byte))), fault)
  })

  it("are said to be UTF-16BE where the parser cannot read them", () => {
    const bytes = Buffer.from('\uFEFFa\n5" disk"', "utf16le").swap16()
    assert.strictEqual(faultOf([bytes]), "it is UTF-16BE: save it as UTF-8")
  })

  it("are nobody's to judge in UTF-16LE", () => {
    assert.isUndefined(faultOf([Uint8Array.of(0xff, 0xfe), Buffer.from('a\n5" disk"', "utf16le")]))
  })

  it("are wrong where the parser refuses them", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", '"', ",", "\n")), fc.nat({ max: 40 }), (characters, cut) => {
        const text = `h\n${characters.join("")}`
        const isRefused = Either.isLeft(Either.try(() => parse(text, { relax_column_count: true })))
        const bytes = bytesOf(text)
        assert.strictEqual(faultOf([bytes.subarray(0, cut), bytes.subarray(cut)]) !== undefined, isRefused)
      })
    )
  })

  it("that never close are told before they fill the memory", () => {
    const piece = Buffer.alloc(1024 * 1024, "x")
    const open = [bytesOf('a\n1\n"'), ...Array.from({ length: mostQuotedBytes / piece.length }, () => piece)]
    assert.strictEqual(faultOf([...open, bytesOf('"')]), undefined)
    assert.strictEqual(faultOf([...open, bytesOf("x")]), "the quote that opens in line 3 does not close within 4 MiB")
  })
})
