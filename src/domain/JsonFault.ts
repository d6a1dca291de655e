import { ended } from "./Ended.ts"

/** Where a text stops being JSON. */
export interface FaultPlace {
  /** Counted in characters from 0. */
  readonly at: number
  /** Counted from 1, as editors do. */
  readonly line: number
  readonly column: number
  readonly expected: string
  /** The one character that stands there instead, in words. */
  readonly found: string
}

const newline = 0x0a
const quote = 0x22
const escape = 0x5c
const comma = 0x2c
const colon = 0x3a
const minus = 0x2d
const plus = 0x2b
const point = 0x2e
const zero = 0x30
const letterU = 0x75
const letterE = 0x65
const capitalE = 0x45
const listOpens = 0x5b
const listEnds = 0x5d
const objectOpens = 0x7b
const objectEnds = 0x7d

const isBlank = (unit: number): boolean => unit === 0x20 || unit === newline || unit === 0x0d || unit === 0x09
const isDigit = (unit: number): boolean => unit >= zero && unit <= 0x39
const isHex = (unit: number): boolean =>
  isDigit(unit) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66)
const isEscapable = (unit: number): boolean => '"\\/bfnrt'.includes(String.fromCharCode(unit))

const words: ReadonlyMap<number, string> = new Map([
  [0x74, "true"],
  [0x66, "false"],
  [0x6e, "null"]
])

/** What may come next. */
type Turn = "value" | "item or end" | "name" | "name or end" | "colon" | "after"

/** Characters that one step reads. */
const stepCharacters = 64 * 1024

const foundAt = (text: string, at: number): string => {
  const point = text.codePointAt(at)
  if (point === undefined) return "the end"
  if (point === newline) return "the end of the line"
  if (point === 0xfeff) return "a byte order mark"
  const isVisible = point > 0x20 && point < 0x7f
  return isVisible ? String.fromCodePoint(point) : `U+${point.toString(16).toUpperCase().padStart(4, "0")}`
}

/** Reads a text from its start until it stops being JSON (RFC 8259). Depth is no fault, and nothing recurses. */
class Reader {
  at = 0
  expected = ""
  turn: Turn = "value"
  /** The ends of the lists and objects that are open. */
  private readonly ends: Array<number> = []
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** Reads on to `end` or a little further; false at the first fault. */
  readTo(end: number): boolean {
    for (;;) {
      while (isBlank(this.unit)) this.at++
      if (this.at >= this.text.length) return this.finish()
      if (this.at >= end) return true
      if (!this.token()) return false
    }
  }

  private get unit(): number {
    return this.text.charCodeAt(this.at)
  }

  private fail(expected: string): false {
    this.expected = expected
    return false
  }

  private finish(): boolean {
    return this.turn === "after" && this.ends.length === 0 ? true : this.fail(this.wanted)
  }

  private get wanted(): string {
    switch (this.turn) {
      case "value":
        return "a value"
      case "item or end":
        return "a value or ]"
      case "name":
        return "a name in double quotes"
      case "name or end":
        return "a name in double quotes or }"
      case "colon":
        return "a colon"
      case "after": {
        const end = this.ends.at(-1)
        return end === undefined ? "nothing more" : `a comma or ${String.fromCharCode(end)}`
      }
    }
  }

  private token(): boolean {
    const { unit, turn } = this
    if (turn === "value" || turn === "item or end") {
      return turn === "item or end" && unit === listEnds ? this.close() : this.value(unit)
    }
    if (turn === "after") {
      if (unit === this.ends.at(-1)) return this.close()
      if (unit !== comma || this.ends.length === 0) return this.fail(this.wanted)
      return this.pass(this.ends.at(-1) === listEnds ? "value" : "name")
    }
    if (turn === "colon") return unit === colon ? this.pass("value") : this.fail(this.wanted)
    if (turn === "name or end" && unit === objectEnds) return this.close()
    if (unit !== quote) return this.fail(this.wanted)
    this.turn = "colon"
    return this.string()
  }

  private pass(turn: Turn): true {
    this.at++
    this.turn = turn
    return true
  }

  private close(): true {
    this.ends.pop()
    return this.pass("after")
  }

  private value(unit: number): boolean {
    if (unit === listOpens || unit === objectOpens) {
      this.ends.push(unit === listOpens ? listEnds : objectEnds)
      return this.pass(unit === listOpens ? "item or end" : "name or end")
    }
    const wanted = this.wanted
    this.turn = "after"
    if (unit === quote) return this.string()
    if (unit === minus || isDigit(unit)) return this.number()
    const word = words.get(unit)
    return word === undefined ? this.fail(wanted) : this.word(word)
  }

  private word(word: string): boolean {
    for (let read = 0; read < word.length; read++, this.at++) {
      if (this.unit !== word.charCodeAt(read)) return this.fail(word)
    }
    return true
  }

  private digits(): boolean {
    if (!isDigit(this.unit)) return this.fail("a digit")
    while (isDigit(this.unit)) this.at++
    return true
  }

  private skip(...units: ReadonlyArray<number>): boolean {
    if (!units.includes(this.unit)) return false
    this.at++
    return true
  }

  private number(): boolean {
    this.skip(minus)
    if (!this.skip(zero) && !this.digits()) return false
    if (this.skip(point) && !this.digits()) return false
    if (!this.skip(letterE, capitalE)) return true
    this.skip(plus, minus)
    return this.digits()
  }

  private string(): boolean {
    this.at++
    for (; this.at < this.text.length; this.at++) {
      const { unit } = this
      if (unit === quote) {
        this.at++
        return true
      }
      if (unit < 0x20) return this.fail("the closing quote, or an escape such as \\n")
      if (unit === escape && !this.escaped()) return false
    }
    return this.fail("the closing quote")
  }

  /** Reads what follows a backslash, up to its last character. */
  private escaped(): boolean {
    this.at++
    if (this.unit !== letterU) {
      return (this.at < this.text.length && isEscapable(this.unit)) || this.fail('one of " \\ / b f n r t u')
    }
    for (let digit = 0; digit < 4; digit++) {
      this.at++
      if (!isHex(this.unit)) return this.fail("four hexadecimal digits")
    }
    return true
  }
}

const placeOf = (text: string, { at, expected }: Reader): FaultPlace => {
  const lineStart = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1
  let line = 1
  for (let end = text.indexOf("\n"); end !== -1 && end < at; end = text.indexOf("\n", end + 1)) line++
  return { at, line, column: at - lineStart + 1, expected, found: foundAt(text, at) }
}

/**
 * The first character by which a text cannot be the beginning of JSON, in one pass over it, in steps so that others may have a turn in
 * between; null for JSON. Engines word and place the faults of `JSON.parse` differently, so it is found here.
 */
export function* jsonFaultSteps(text: string): Generator<undefined, FaultPlace | null> {
  const reader = new Reader(text)
  for (let end = stepCharacters; ; end += stepCharacters) {
    if (!reader.readTo(end)) return placeOf(text, reader)
    if (reader.at >= text.length) return null
    yield undefined
  }
}

/** The same at once, for short texts. */
export const jsonFaultOf = (text: string): FaultPlace | null => ended(jsonFaultSteps(text))
