/**
 * Cuts text that arrives in pieces into lines. A line longer than the limit becomes null and is never held in memory.
 */
export class Lines {
  private rest = ""
  private isTooLong = false
  private readonly maxCharacters: number

  constructor(maxCharacters: number) {
    this.maxCharacters = maxCharacters
  }

  /** The non-empty lines that the piece completes, in order. */
  push(piece: string): ReadonlyArray<string | null> {
    const lines: Array<string | null> = []
    let start = 0
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", start)) {
      this.grow(piece.slice(start, end))
      this.take(lines)
      start = end + 1
    }
    this.grow(piece.slice(start))
    return lines
  }

  /** The last line, if the text does not end with a line feed. */
  end(): ReadonlyArray<string | null> {
    const lines: Array<string | null> = []
    this.take(lines)
    return lines
  }

  private grow(text: string): void {
    this.isTooLong ||= this.rest.length + text.length > this.maxCharacters
    this.rest = this.isTooLong ? "" : this.rest + text
  }

  private take(lines: Array<string | null>): void {
    if (this.isTooLong) lines.push(null)
    else if (this.rest.trim() !== "") lines.push(this.rest)
    this.rest = ""
    this.isTooLong = false
  }
}
