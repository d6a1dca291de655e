import { closeSync, openSync, readSync, writeSync } from "node:fs"
import { markerIdBytes, readMarkerId } from "../../bytes/MarkerId.ts"

const idsPerBlock = 65_536
const blockBytes = idsPerBlock * markerIdBytes

/** Blocks of a mebibyte that are held in memory; the others are in the file. */
const blocksInMemory = 64

interface Block {
  readonly bytes: Uint8Array
  isChanged: boolean
}

/** Marker ids of one environment by sequence, in a scratch file: however many there are, they take 64 MiB of memory. */
export class IdsBySequence {
  private readonly file: number
  private readonly blocks = new Map<number, Block>()

  constructor(path: string) {
    this.file = openSync(path, "w+", 0o600)
  }

  /** Keeps the 16 bytes at the offset. */
  put(sequence: number, bytes: Uint8Array, offset: number): void {
    const block = this.block(Math.floor(sequence / idsPerBlock))
    block.bytes.set(bytes.subarray(offset, offset + markerIdBytes), (sequence % idsPerBlock) * markerIdBytes)
    block.isChanged = true
  }

  /** Null where none was put. */
  find(sequence: number): string | null {
    const { bytes } = this.block(Math.floor(sequence / idsPerBlock))
    const offset = (sequence % idsPerBlock) * markerIdBytes
    const isThere = bytes.subarray(offset, offset + markerIdBytes).some((byte) => byte !== 0)
    return isThere ? readMarkerId(bytes, offset) : null
  }

  close(): void {
    closeSync(this.file)
  }

  private block(number: number): Block {
    const known = this.blocks.get(number)
    if (known !== undefined) {
      this.blocks.delete(number)
      this.blocks.set(number, known)
      return known
    }
    for (const oldest of this.blocks.keys()) {
      if (this.blocks.size < blocksInMemory) break
      this.release(oldest)
    }
    const block = { bytes: new Uint8Array(blockBytes), isChanged: false }
    readSync(this.file, block.bytes, 0, blockBytes, number * blockBytes)
    this.blocks.set(number, block)
    return block
  }

  private release(number: number): void {
    const block = this.blocks.get(number)
    if (block?.isChanged === true) writeSync(this.file, block.bytes, 0, blockBytes, number * blockBytes)
    this.blocks.delete(number)
  }
}
