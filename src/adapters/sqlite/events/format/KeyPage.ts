/** Words of a record: four of an id, and the low 32 bits of its sequence. */
export const keyWords = 5
/** Bytes of a record. */
export const keyBytes = 20

/** A page of sorted marker ids, each with the low 32 bits of its sequence. A key is an id in four words. */
export interface KeyPage {
  readonly count: number
  /** Whether it is as long as its records are. */
  readonly isWhole: boolean
  has(key: Uint32Array): boolean
  /** Whether the first id comes after the key. */
  startsAfter(key: Uint32Array): boolean
  /** The low bits of the sequences, in the order of the ids. */
  sequences(): Uint32Array
  id(index: number): string
  /** All records. */
  records(): Uint32Array
}
