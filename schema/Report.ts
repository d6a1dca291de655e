import { nearestName } from "../src/domain/NearestName.ts"

/** Problems that one answer names; of any others it says how many there are. */
export const mostNamed = 20

/** Problems after which nobody looks for more: a body of 90,000 unknown fields costs as little as one of 1,000. */
const mostCounted = 1000

/** Characters of a name or value in a message. */
const longest = 60

/** A text that a client sent, short enough for a message. */
export const shortened = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)

/** What is wrong with a value, gathered while it is walked. Only problems that will be named are put into words. */
export class Report {
  readonly named: Array<string> = []
  count = 0
  private readonly path: Array<string | number> = []
  private isTrial = false

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
    const path = this.path.map((key) => shortened(String(key))).join(".")
    this.named.push(`${path === "" ? "body" : path}: ${words()}`)
  }

  expected(words: () => string): void {
    this.say(() => `expected ${words()}`)
  }

  missing(name: string, words: () => string): void {
    this.enter(name)
    this.say(() => `missing, expected ${words()}`)
    this.leave()
  }

  /** A field that nothing reads: with the name that was meant, or the place where it belongs. */
  unknown(name: string, known: Iterable<string>, elsewhere: string | undefined, kind: string): void {
    this.enter(name)
    this.say(() => {
      if (elsewhere !== undefined) return `unknown ${kind}, ${elsewhere}`
      const meant = nearestName(name, known)
      return meant === undefined ? `unknown ${kind}` : `unknown ${kind}, did you mean ${meant}?`
    })
    this.leave()
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
