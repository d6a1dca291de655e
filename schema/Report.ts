import { Predicate } from "effect"
import { nearestName } from "../src/domain/NearestName.ts"

/** Problems that one answer names; of any others it says how many there are. */
export const mostNamed = 20

/** Problems after which nobody looks for more: a body of 90,000 unknown fields costs as little as one of 1,000. */
const mostCounted = 1000

/** Characters of a name or value in a message. */
const longest = 60

/** A text that a client sent, short enough for a message. */
export const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

/** Characters of an example in a message. */
const longestExample = 200

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => Predicate.isRecord(value)

/** What stands in an example at a key of the path; items of a list are alike. */
const exampleAt = (example: unknown, key: string | number): unknown => {
  if (Array.isArray(example)) return typeof key === "number" ? (example[key] ?? example[0]) : undefined
  return isObject(example) && Object.hasOwn(example, key) ? example[key] : undefined
}

/** An object or a list as it may be sent, where it is short enough for a message; of a longer list its first item. */
const exampleText = (example: unknown): string | undefined => {
  if (typeof example !== "object" || example === null) return undefined
  const text = JSON.stringify(example)
  if (text.length <= longestExample) return text
  const first = Array.isArray(example) && example.length > 1 ? JSON.stringify([example[0]]) : text
  return first.length <= longestExample ? first : undefined
}

const knownNames = (known: ReadonlySet<string>): string =>
  known.size === 0 ? "none is known here" : `known here: ${[...known].join(", ")}`

/** What is wrong with a value, gathered while it is walked. Only problems that will be named are put into words. */
export class Report {
  readonly named: Array<string> = []
  count = 0
  private example: unknown = undefined
  private readonly path: Array<string | number> = []
  private readonly place: string | undefined
  private isTrial = false

  /** `place` is where the value stands in what was sent; undefined: it is the body itself. */
  constructor(place?: string) {
    this.place = place
  }

  /** Steps into a field or an item of a list. */
  enter(key: string | number): void {
    this.path.push(key)
  }

  leave(): void {
    this.path.pop()
  }

  /** Whether there are so many problems that the rest of the value need not be walked. */
  get isFull(): boolean {
    return this.count >= mostCounted
  }

  say(words: () => string): void {
    this.count++
    if (this.isTrial || this.named.length >= mostNamed) return
    const path = [this.place ?? [], this.path]
      .flat()
      .map((key) => shortened(String(key)))
      .join(".")
    this.named.push(`${path === "" ? "body" : path}: ${words()}`)
  }

  expected(words: () => string): void {
    this.say(() => `expected ${words()}`)
  }

  /** The same of an object or a list, with an example of it where the body has one. */
  expectedShape(words: () => string): void {
    this.say(() => `expected ${words()}${this.exampleHere}`)
  }

  /** A field that has to be there; `instead` says what may be sent in its place. */
  missing(name: string, words: () => string, instead?: string): void {
    this.enter(name)
    this.say(
      () => `missing, expected ${words()}${this.exampleHere}${instead === undefined ? "" : `, or ${instead} instead`}`
    )
    this.leave()
  }

  /** A field that nothing reads: with the name that was meant, or the place where it belongs. */
  unknown(name: string, known: ReadonlySet<string>, elsewhere: string | undefined, kind: string): void {
    this.enter(name)
    this.say(() => {
      if (elsewhere !== undefined) return `unknown ${kind}, ${elsewhere}`
      const meant = nearestName(name, known)
      if (meant !== undefined) return `unknown ${kind}, did you mean ${meant}?`
      return kind === "parameter" ? `unknown parameter, ${knownNames(known)}` : `unknown ${kind}`
    })
    this.leave()
  }

  /** Has a body checked whose objects and lists look as in the example. */
  showing(example: unknown, check: () => void): void {
    this.example = example
    check()
    this.example = undefined
  }

  private get exampleHere(): string {
    const text = exampleText(this.path.reduce(exampleAt, this.example))
    return text === undefined ? "" : `, for example ${text}`
  }

  /** How many problems a check would find, without naming any. */
  countOf(check: () => void): number {
    const before = this.count
    const wasTrial = this.isTrial
    this.isTrial = true
    check()
    const found = this.count - before
    this.count = before
    this.isTrial = wasTrial
    return found
  }

  /** Every problem in one sentence, at least where there are very many; undefined where there is none. */
  get message(): string | undefined {
    if (this.count === 0) return undefined
    const more = this.count - this.named.length
    return this.named.join("; ") + (more === 0 ? "" : `; and ${this.isFull ? "at least " : ""}${more} more`)
  }
}
