/** Neighbouring bits of one word of a marker id: `mask` picks them once they are shifted right. */
export interface Piece {
  readonly word: number
  readonly shift: number
  readonly width: number
  readonly mask: number
}

export const leadBits = 32

/**
 * The bits in which the marker ids of a page differ, from the highest on. The first 32 are the lead, a number that grows with the ids; the
 * others, the rest, are in pieces.
 */
export class UnsharedBits {
  readonly leadWidth: number
  readonly restWidth: number
  readonly rest: ReadonlyArray<Piece>
  private readonly leading: ReadonlyArray<Piece>

  /** The bits that are set in these four words. */
  constructor(differing: Uint32Array) {
    const leading: Array<Piece> = []
    const rest: Array<Piece> = []
    let leadWidth = 0
    let restWidth = 0
    for (let word = 0; word < 4; word++)
      for (let left = differing[word]!; left !== 0;) {
        const skipped = Math.clz32(left)
        const isLead = leadWidth < leadBits
        const run = Math.clz32(~(left << skipped))
        const width = isLead ? Math.min(run, leadBits - leadWidth) : run
        const [shift, mask] = [32 - skipped - width, 0xffffffff >>> (32 - width)]
        ;(isLead ? leading : rest).push({ word, shift, width, mask })
        if (isLead) leadWidth += width
        else restWidth += width
        left &= ~(mask << shift)
      }
    this.leading = leading
    this.rest = rest
    this.leadWidth = leadWidth
    this.restWidth = restWidth
  }

  /** The lead of the id whose four words begin at `at`. */
  lead(words: Uint32Array, at: number): number {
    const { leading } = this
    let lead = 0
    for (let index = 0; index < leading.length; index++) {
      const { word, shift, width, mask } = leading[index]!
      const bits = (words[at + word]! >>> shift) & mask
      lead = width === 32 ? bits : (lead << width) | bits
    }
    return lead >>> 0
  }

  /** Puts a lead into the id whose four words begin at `at`, with zeros in its place. */
  putLead(lead: number, words: Uint32Array, at: number): void {
    const { leading } = this
    let left = this.leadWidth
    for (let index = 0; index < leading.length; index++) {
      const { word, shift, width, mask } = leading[index]!
      left -= width
      words[at + word]! |= ((lead >>> left) & mask) << shift
    }
  }
}
