import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { Elements } from "../../../src/domain/ingest/Elements.ts"
import { Lines } from "../../../src/domain/ingest/Lines.ts"
import { runCount } from "../../support/Runs.ts"

const inPieces = (text: string, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((start, i) => text.slice(start, at[i] ?? text.length))
}

const all = (splitter: Lines | Elements, pieces: ReadonlyArray<string>) => [
  ...pieces.flatMap((piece) => splitter.push(piece)),
  ...splitter.end()
]

const cuts = fc.array(fc.nat(), { maxLength: 8 })

describe("lines", () => {
  it("come out whole however the text is cut", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), cuts, fc.constantFrom("\n", "\r\n", "\n\n"), (values, at, separator) => {
        const text = values.map((value) => JSON.stringify(value)).join(separator)
        const lines = all(new Lines(1e6), inPieces(text, at))
        assert.deepStrictEqual(
          lines.map((line) => JSON.parse(line ?? "")),
          values.map((value) => JSON.parse(JSON.stringify(value)))
        )
      }),
      { numRuns: runCount(1000) }
    )
  })

  it("past the limit come out as null, the others whole", () => {
    assert.deepStrictEqual(all(new Lines(3), ["abc\nab", "cd\n\n", "d", "ef\nabcd"]), ["abc", null, "def", null])
  })
})

describe("elements of a list", () => {
  it("come out whole however the text is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        cuts,
        fc.boolean(),
        fc.constantFrom(0, 1),
        (values, at, isWrapped, indent) => {
          const text = `  ${JSON.stringify(isWrapped ? { markers: values } : values, null, indent)}\n`
          const elements = new Elements(1e6)
          const found = all(elements, inPieces(text, at)).map((element) => JSON.parse(element ?? ""))
          assert.deepStrictEqual([found, elements.isBroken], [JSON.parse(JSON.stringify(values)), false])
        }
      ),
      { numRuns: runCount(1000) }
    )
  })

  it.each(["", "{}", "null", "[1", '["', '{"markers":[1]', "[1]]", "[1] x", '{"markers":[1]}}', '{"other":[1]}', "]"])(
    "tells that %s is no list",
    (text) => {
      const elements = new Elements(100)
      all(elements, [text])
      assert.isTrue(elements.isBroken)
    }
  )

  it("stops reading when no list opens", () => {
    const elements = new Elements(100)
    all(
      elements,
      Array.from({ length: 100 }, () => "x".repeat(100))
    )
    assert.isTrue(elements.isBroken)
  })

  it("past the limit come out as null, the others whole", () => {
    assert.deepStrictEqual(all(new Elements(5), ['["abc",', '"abcd', 'e",1', "23,", '"x"]']), [
      '"abc"',
      null,
      "123",
      '"x"'
    ])
  })
})
