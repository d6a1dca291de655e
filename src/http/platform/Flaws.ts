import { Report } from "../../../schema/Report.ts"

/** Levels of lists and objects in one another; what reads and checks values recurses. */
const deepest = 100

/** What is said of a body that is nested deeper. */
export const tooManyLevels = `body: expected at most ${deepest} levels of nesting`

/** Objects of JavaScript lose it, and some take it for their prototype. */
const lostKey = "__proto__"

const textFlaw = (text: string): string | undefined => {
  if (!text.isWellFormed()) return "well-formed Unicode text"
  return text.includes("\u0000") ? "text without the character U+0000" : undefined
}

const sayText = (text: string, report: Report): void => {
  const wanted = textFlaw(text)
  if (wanted !== undefined) report.expected(() => wanted)
}

const walk = (value: unknown, depth: number, report: Report): boolean => {
  if (typeof value === "string") {
    sayText(value, report)
    return true
  }
  if (typeof value !== "object" || value === null) return true
  if (depth === deepest) return false
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
  for (const [key, each] of Object.entries(value)) {
    if (report.isFull) return true
    sayText(key, report)
    report.enter(key)
    if (key === lostKey) report.say(() => "no field may have this name")
    if (!walk(each, depth + 1, report)) return false
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

/** Whether a text of JSON may hold a flaw: escaped characters, the lost key, or brackets nested too deep. One pass over the bytes. */
const maySpoil = (json: Buffer): boolean => {
  let depth = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0
    if (byte === quote) isText = !isText
    else if (isText && byte === escape && json[++at] === letterU) return true
    else if (isText) continue
    else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > deepest) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return json.includes(lostKey)
}

/** Why a text of JSON is not worth parsing; undefined where it is. One pass over the bytes. */
export const excessOf = (json: Buffer): "fields" | "values" | undefined => {
  let depth = 0
  let fields = 0
  let separators = 0
  let isText = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0
    if (byte === quote) isText = !isText
    else if (isText) at += byte === escape ? 1 : 0
    else if (byte === 0x3a || byte === 0x2c) {
      separators++
      if (byte === 0x3a && depth === 1) fields++
    } else if (byte === 0x5b || byte === 0x7b) depth++
    else if (byte === 0x5d || byte === 0x7d) depth--
  }
  if (fields > mostFields) return "fields"
  return separators > mostSeparators ? "values" : undefined
}

/**
 * What no schema asks for and every store needs: whole characters, none of them U+0000, no key `__proto__` and no more than
 * 100 levels of nesting. Every flaw with its path, in one sentence; undefined where there is none. The value is that of the
 * JSON text, and is walked, once, only where the text gives reason to.
 */
export const flawOf = (value: unknown, json: Buffer): string | undefined => {
  if (!maySpoil(json)) return undefined
  const report = new Report()
  return walk(value, 0, report) ? report.message : tooManyLevels
}
