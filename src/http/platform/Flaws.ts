import { Report } from "../../../schema/Report.ts"
import { textFlaw } from "../../domain/Characters.ts"

/** Levels of lists and objects in one another; what reads and checks values recurses. */
const mostLevels = 100

/** What is said of a body that is nested deeper. */
export const tooManyLevels = `body: expected at most ${mostLevels} levels of nesting`

/** Objects of JavaScript lose it, and some take it for their prototype. */
const lostKey = "__proto__"

const sayText = (text: string, report: Report): void => {
  const wanted = textFlaw(text)
  if (wanted !== undefined) report.expected(() => wanted)
}

/** Reads each value where it is: a list of a large object's values costs three times as much. */
const isFilled = (value: object): value is Readonly<Record<string, unknown>> => value !== null

const walk = (value: unknown, depth: number, report: Report): boolean => {
  if (typeof value === "string") {
    sayText(value, report)
    return true
  }
  if (typeof value !== "object" || value === null) return true
  if (depth === mostLevels) return false
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && !report.isFull; at++) {
      const each: unknown = value[at]
      if (typeof each === "number" || typeof each === "boolean") continue
      report.enter(at)
      if (!walk(each, depth + 1, report)) return false
      report.leave()
    }
    return true
  }
  if (!isFilled(value)) return true
  for (const key of Object.keys(value)) {
    if (report.isFull) return true
    sayText(key, report)
    report.enter(key)
    if (key === lostKey) report.say(() => "no field may have this name")
    if (!walk(value[key], depth + 1, report)) return false
    report.leave()
  }
  return true
}

/** Fields of a body itself: no endpoint knows as many, and to look for the unknown ones of 90,000 takes long. */
const mostFields = 1000

/** Commas and colons: what parsing and checking a body takes grows with its values more than with its bytes. */
const mostSeparators = 200_000

const quote = 0x22
const escape = 0x5c
const letterU = 0x75

/** Bytes of a text after which its end is looked for instead of read. */
const longText = 64

/** What a text of JSON tells before it is parsed. */
export interface Survey {
  /** Why it is not worth parsing; undefined where it is. */
  readonly excess: "fields" | "values" | undefined
  /** Whether it may hold a flaw: escaped characters, the lost key, or brackets nested too deep. */
  readonly maySpoil: boolean
}

/** One pass over the bytes, of which each call reads a part. */
class Surveyor {
  at = 0
  private depth = 0
  private fields = 0
  private separators = 0
  /** Where the text that is being read began; -1 outside of texts. */
  private textBegan = -1
  private maySpoil: boolean
  private readonly json: Buffer
  private readonly hasEscapes: boolean

  constructor(json: Buffer) {
    this.json = json
    this.maySpoil = json.includes(lostKey)
    this.hasEscapes = json.includes(escape)
  }

  readTo(end: number): void {
    const { json, hasEscapes } = this
    let { at, depth, textBegan } = this
    for (; at < end; at++) {
      const byte = json[at] ?? 0
      if (textBegan !== -1) {
        if (byte === quote) textBegan = -1
        else if (byte === escape) {
          // The byte after it is passed over whatever is known already: it may be a quote that ends nothing.
          if (json[++at] === letterU) this.maySpoil = true
        } else if (!hasEscapes && at - textBegan > longText) {
          const closes = json.indexOf(quote, at)
          at = (closes === -1 ? json.length : closes) - 1
        }
      } else if (byte === quote) textBegan = at
      else if (byte === 0x3a || byte === 0x2c) {
        this.separators++
        if (byte === 0x3a && depth === 1) this.fields++
      } else if (byte === 0x5b || byte === 0x7b) {
        if (++depth > mostLevels) this.maySpoil = true
      } else if (byte === 0x5d || byte === 0x7d) depth--
    }
    this.at = at
    this.depth = depth
    this.textBegan = textBegan
  }

  get survey(): Survey {
    const excess = this.fields > mostFields ? "fields" : this.separators > mostSeparators ? "values" : undefined
    return { excess, maySpoil: this.maySpoil }
  }
}

export const surveyOf = (json: Buffer): Survey => {
  const surveyor = new Surveyor(json)
  surveyor.readTo(json.length)
  return surveyor.survey
}

/** Bytes that one step reads. */
const bytesPerStep = 128 * 1024

/** The same in steps, so that others may have a turn in between. */
export function* surveySteps(json: Buffer): Generator<undefined, Survey> {
  const surveyor = new Surveyor(json)
  while (surveyor.at < json.length) {
    if (surveyor.at > 0) yield undefined
    surveyor.readTo(Math.min(json.length, surveyor.at + bytesPerStep))
  }
  return surveyor.survey
}

/**
 * What no schema asks for and every store needs: whole characters, none of them U+0000, no key `__proto__` and no more than
 * 100 levels of nesting. Every flaw with its path, in one sentence; undefined where there is none. The value is that of a
 * JSON text, and is walked, once, only where the text gives reason to.
 */
export const flawOf = (value: unknown, { maySpoil }: Survey): string | undefined => {
  if (!maySpoil) return undefined
  const report = new Report()
  return walk(value, 0, report) ? report.message : tooManyLevels
}
