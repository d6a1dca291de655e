import { FastCheck as fc } from "effect"

/** Code points from here on, as many as this, are halves of pairs. */
const halves = { first: 0xd800, count: 0x800 }

/**
 * Any code point but halves of pairs, as the unit "binary" of fast-check, and the same for the same seed. That one keeps a table of all 1.1
 * million in each worker, which takes a second to make.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - halves.count }).map(
  (place) => String.fromCodePoint(place < halves.first ? place : place + halves.count),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined
    if (code === undefined || text !== String.fromCodePoint(code)) throw new Error("not one character")
    return code < halves.first ? code : code - halves.count
  }
)
