/** One event of a stream. Its data is left out: which configurations changed is not asked for, because an unchanged one costs a short answer. */
export interface StreamEvent {
  readonly name: string
  /** The id to come back with; null where none was told yet. */
  readonly lastId: string | null
}

const mostCharacters = 65_536

/** Reads server-sent events (WHATWG HTML, 9.2) out of a text that comes in pieces. */
export class EventReader {
  private rest = ""
  private name = ""
  private lastId: string | null = null

  /** The events that end in this piece. One without a name has only an id to tell. */
  push(piece: string): ReadonlyArray<StreamEvent> {
    const lines = (this.rest + piece).split("\n")
    this.rest = (lines.pop() ?? "").slice(-mostCharacters)
    return lines.flatMap((line) => this.read(line.endsWith("\r") ? line.slice(0, -1) : line))
  }

  private read(line: string): ReadonlyArray<StreamEvent> {
    if (line === "") {
      const event = { name: this.name, lastId: this.lastId }
      this.name = ""
      return [event]
    }
    const colon = line.indexOf(":")
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
    if (field === "event") this.name = value
    if (field === "id" && !value.includes("\0")) this.lastId = value
    return []
  }
}
