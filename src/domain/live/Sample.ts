import { utf8Length } from "../ingest/Text.ts"

/** How much of what is offered a sample keeps. */
export interface SampleLimit {
  readonly items: number
  /** Bytes of JSON. */
  readonly bytes: number
}

/** What a sample kept, each item as JSON, and how many it left out. */
export interface Taken {
  readonly items: ReadonlyArray<string>
  readonly leftOut: number
}

/** The first items that fit, as JSON. What comes after them is only counted, and costs nothing else. */
export class Sample {
  private readonly limit: SampleLimit
  private items: Array<string> = []
  private bytes = 0
  private offered = 0
  private isFull = false

  constructor(limit: SampleLimit) {
    this.limit = limit
  }

  /** Keeps the item if it fits, and answers whether it did; `make` is called only while there is room. */
  offer(make: () => object): boolean {
    this.offered++
    if (this.isFull) return false
    const text = JSON.stringify(make())
    const bytes = utf8Length(text)
    const isKept = this.bytes + bytes <= this.limit.bytes
    if (isKept) {
      this.items.push(text)
      this.bytes += bytes
    }
    this.isFull = !isKept || this.items.length >= this.limit.items
    return isKept
  }

  /** What it kept since it was last asked. */
  take(): Taken {
    const taken = { items: this.items, leftOut: this.offered - this.items.length }
    this.items = []
    this.bytes = 0
    this.offered = 0
    this.isFull = false
    return taken
  }
}
