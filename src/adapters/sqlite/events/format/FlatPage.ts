import { readMarkerId } from "../bytes/MarkerId.ts"
import { keyBytes, type KeyPage, keyWords } from "./KeyPage.ts"

/** A page of whole records, as builds of the formats 1 to 6 wrote them. */
export class FlatPage implements KeyPage {
  readonly count: number
  private readonly data: Uint8Array
  private readonly view: DataView

  constructor(data: Uint8Array) {
    this.data = data
    this.view = new DataView(data.buffer, data.byteOffset, data.byteLength)
    this.count = Math.floor(data.length / keyBytes)
  }

  get isWhole(): boolean {
    return this.data.length === this.count * keyBytes
  }

  has(key: Uint32Array): boolean {
    let low = 0
    let high = this.count - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const difference = this.compare(middle, key)
      if (difference === 0) return true
      if (difference < 0) low = middle + 1
      else high = middle - 1
    }
    return false
  }

  startsAfter(key: Uint32Array): boolean {
    return this.count > 0 && this.compare(0, key) > 0
  }

  sequences(): Uint32Array {
    const { view } = this
    const sequences = new Uint32Array(this.count)
    for (let index = 0, at = 16; index < sequences.length; index++, at += keyBytes)
      sequences[index] = view.getUint32(at)
    return sequences
  }

  id(index: number): string {
    return readMarkerId(this.data, index * keyBytes)
  }

  records(): Uint32Array {
    const { view } = this
    const words = new Uint32Array(this.count * keyWords)
    for (let at = 0; at < words.length; at++) words[at] = view.getUint32(at * 4)
    return words
  }

  /** Negative if the record comes before the key, 0 if it is the key, positive if it comes after. */
  private compare(record: number, key: Uint32Array): number {
    for (let word = 0; word < 4; word++) {
      const difference = this.view.getUint32(record * keyBytes + word * 4) - key[word]!
      if (difference !== 0) return difference
    }
    return 0
  }
}
