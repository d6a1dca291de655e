import { endOfText } from "./JsonText.ts"
import { Either, Option } from "effect"

/** Why a text is not taken: it is not JSON, or lists and objects are nested too deep in it. */
export type JsonFault = "broken" | "deep"

/** Characters that one step parses. Names that no other object has cost a hundred times as much as names that are known. */
export const stepCharacters = 16 * 1024

/** Levels of lists and objects in one another; RFC 8259 leaves the limit to the parser. */
export const deepestJson = 1000

const comma = 0x2c
const quote = 0x22
const listOpens = 0x5b
const objectOpens = 0x7b
const listEnds = 0x5d
const objectEnds = 0x7d

const parse = Option.liftThrowable((text: string): unknown => JSON.parse(text))

const isBlank = (text: string): boolean => /^[\t\n\r ]*$/.test(text)

/** A list or an object that has not ended yet. What was parsed of it is kept; what follows `rest` was not parsed. */
class Opened {
  readonly list: Array<unknown> = []
  private readonly fields: Record<string, unknown> = {}
  readonly isList: boolean
  readonly start: number
  /** Begins after the last comma of its own. */
  item: number
  rest: number
  /** Whether a part of it was parsed by itself, so that the rest has to be as well. */
  isParted = false
  /** Whether what was parsed last is a list or an object, after which a comma or the end has to come. */
  isAfterChild = false

  constructor(isList: boolean, start: number) {
    this.isList = isList
    this.start = start
    this.item = start + 1
    this.rest = start + 1
  }

  get value(): unknown {
    return this.isList ? this.list : this.fields
  }

  /** As JSON.parse does, defines a field `__proto__` as any other. */
  private give(name: string, value: unknown): void {
    if (name !== "__proto__") this.fields[name] = value
    else Object.defineProperty(this.fields, name, { value, enumerable: true, configurable: true, writable: true })
  }

  /** Takes elements or fields up to `end`, separated by commas, at least one. False where they are none. */
  take(json: string, end: number): boolean {
    const text = json.slice(this.rest, end)
    const part = isBlank(text) ? null : Option.getOrNull(parse(this.isList ? `[${text}]` : `{${text}}`))
    if (typeof part !== "object" || part === null) return false
    if (Array.isArray(part)) for (const each of part) this.list.push(each)
    else for (const [name, each] of Object.entries(part)) this.give(name, each)
    this.rest = end + 1
    this.isParted = true
    return true
  }

  /** Takes a list or an object that began at `start`, with the name before it, and ended before `end`. */
  takeChild(json: string, { start, value }: Opened, end: number): boolean {
    const before = json.slice(this.item, start)
    if (this.isAfterChild) return false
    if (this.isList) {
      if (!isBlank(before)) return false
      this.list.push(value)
    } else {
      const named = Option.getOrNull(parse(`{${before}null}`))
      if (typeof named !== "object" || named === null) return false
      for (const name of Object.keys(named)) this.give(name, value)
    }
    this.isAfterChild = true
    this.rest = end
    return true
  }

  /** Takes what is left before its end at `end`. */
  finish(json: string, end: number): boolean {
    return this.isAfterChild ? isBlank(json.slice(this.rest, end)) : this.take(json, end)
  }
}

/** Whether everything that opens from `from` on, and the `levels` that are open there, ends with the text. Takes a turn as parsing does. */
function* closes(json: string, from: number, levels: number, stepLength: number): Generator<undefined, boolean> {
  let depth = levels
  let paused = from
  for (let at = from; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (unit === quote) at = endOfText(json, at)
    else if (unit === listOpens || unit === objectOpens) depth++
    else if (unit === listEnds || unit === objectEnds) {
      depth--
      if (depth === 0) return isBlank(json.slice(at + 1))
    }
    if (at - paused < stepLength) continue
    paused = at
    yield undefined
  }
  return false
}

/**
 * Parses JSON as `JSON.parse` does, in steps of about `stepLength` characters, so that others may have a turn in between; a number or a
 * text is never divided.
 */
export function* jsonSteps(
  json: string,
  stepLength: number = stepCharacters
): Generator<undefined, Either.Either<unknown, JsonFault>> {
  const open: Array<Opened> = []
  let parsedTo = 0
  let scannedTo = 0
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    const inner = open.at(-1)
    if (unit === quote) at = endOfText(json, at)
    else if (unit === listOpens || unit === objectOpens) {
      if (open.length === deepestJson)
        return Either.left((yield* closes(json, at, open.length, stepLength)) ? "deep" : "broken")
      if (inner === undefined && !isBlank(json.slice(0, at))) return Either.left("broken")
      open.push(new Opened(unit === listOpens, at))
    } else if (inner === undefined) continue
    else if (unit === comma) {
      if (inner.isAfterChild) {
        if (!isBlank(json.slice(inner.rest, at))) return Either.left("broken")
        inner.isAfterChild = false
        inner.rest = at + 1
      } else if (at - inner.rest >= stepLength || at - parsedTo >= 4 * stepLength) {
        for (const outer of open) {
          // What stands before the list or object that is open in it has ended.
          const end = outer === inner ? at : outer.item - 1
          if (end >= outer.rest && !outer.take(json, end)) return Either.left("broken")
          outer.isParted = true
          yield undefined
        }
        parsedTo = at
      }
      inner.item = at + 1
    } else if (unit === listEnds || unit === objectEnds) {
      if (inner.isList !== (unit === listEnds)) return Either.left("broken")
      open.pop()
      const outer = open.at(-1)
      if (inner.isParted) {
        if (!inner.finish(json, at)) return Either.left("broken")
        if (outer === undefined) return isBlank(json.slice(at + 1)) ? Either.right(inner.value) : Either.left("broken")
        if (!outer.takeChild(json, inner, at + 1)) return Either.left("broken")
        yield undefined
      } else if (outer === undefined) break
    }
    if (at - scannedTo >= 4 * stepLength) {
      scannedTo = at
      yield undefined
    }
  }
  if (open.length > 0) return Either.left("broken")
  return Option.match(parse(json), { onNone: () => Either.left("broken"), onSome: Either.right })
}
