const opening = /^\s*(\{\s*"markers"\s*:\s*)?\[/
const maxOpeningCharacters = 1000

const quote = 34
const backslash = 92
const isOpener = (unit: number): boolean => unit === 91 || unit === 123
const isCloser = (unit: number): boolean => unit === 93 || unit === 125

/**
 * Cuts JSON text that arrives in pieces, a list or `{"markers": [...]}`, into the texts of the list's elements. An
 * element longer than the limit becomes null and is never held in memory. Elements are not parsed; `isBroken` is true
 * once the text cannot be such a list.
 */
export class Elements {
  isBroken = false
  private readonly maxCharacters: number
  private phase: "before" | "inside" | "after" = "before"
  private closing = ""
  private rest = ""
  private isTooLong = false
  private depth = 0
  private isString = false
  private isEscaped = false

  constructor(maxCharacters: number) {
    this.maxCharacters = maxCharacters
  }

  /** The elements that the piece completes, in order. */
  push(piece: string): ReadonlyArray<string | null> {
    const elements: Array<string | null> = []
    if (this.isBroken) return elements
    let text = piece
    if (this.phase === "before") {
      const opened = this.open(piece)
      if (opened === null) return elements
      text = opened
    }
    if (this.phase === "after") this.close(text)
    else this.scan(text, elements)
    return elements
  }

  /** Signals the end of the text; a list that has not ended is broken. */
  end(): ReadonlyArray<string | null> {
    this.isBroken ||= this.phase !== "after" || this.rest.trim() !== this.closing
    return []
  }

  private open(piece: string): string | null {
    this.rest += piece
    const match = opening.exec(this.rest)
    if (match === null) {
      this.isBroken = this.rest.trimStart().length > maxOpeningCharacters
      if (this.rest.trim() === "") this.rest = ""
      return null
    }
    const text = this.rest.slice(match[0].length)
    this.closing = match[1] === undefined ? "" : "}"
    this.rest = ""
    this.phase = "inside"
    return text
  }

  private close(text: string): void {
    this.rest = (this.rest + text).trim()
    this.isBroken = this.rest.length > 1
  }

  private scan(text: string, elements: Array<string | null>): void {
    let start = 0
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (this.isString) this.inString(unit)
      else if (unit === quote) this.isString = true
      else if (isOpener(unit)) this.depth++
      else if (this.depth > 0) this.depth -= isCloser(unit) ? 1 : 0
      else if (unit === 44 || unit === 93) {
        this.grow(text.slice(start, i))
        this.take(elements, unit === 93)
        start = i + 1
        if (unit === 93) return this.close(text.slice(start))
      }
    }
    this.grow(text.slice(start))
  }

  private inString(unit: number): void {
    if (this.isEscaped) this.isEscaped = false
    else if (unit === backslash) this.isEscaped = true
    else if (unit === quote) this.isString = false
  }

  private grow(text: string): void {
    this.isTooLong ||= this.rest.length + text.length > this.maxCharacters
    this.rest = this.isTooLong ? "" : this.rest + text
  }

  private take(elements: Array<string | null>, isLast: boolean): void {
    if (this.isTooLong) elements.push(null)
    else if (!isLast || this.rest.trim() !== "") elements.push(this.rest)
    this.rest = ""
    this.isTooLong = false
    if (isLast) this.phase = "after"
  }
}
