import { textIn } from "./ByteReader.ts"
import { textHash, TextTable } from "./TextTable.ts"

/** Texts of more bytes are rarely the same as another. */
const longestPooled = 64

/** Answers the same text object for the same bytes, so that it is made, and its hash computed, once. */
export class TextPool {
  private readonly table = new TextTable()
  private readonly texts: Array<string> = []

  /** The text of bytes in UTF-8. */
  readonly textOf = (bytes: Uint8Array, start: number, end: number): string => {
    if (end - start > longestPooled) return textIn(bytes, start, end)
    const number = this.table.numberOf(bytes, start, end, textHash(bytes, start, end))
    return (this.texts[number] ??= textIn(bytes, start, end))
  }
}
