/** How many questions may wait in one process, how many of them of one owner, and for how many milliseconds. */
export const waitingLimits = { queue: 1000, queueOfOwner: 100, wait: 30_000 }

interface Waiting {
  /** Whose it is: owners take turns. */
  readonly owner: number
}

/** What waits, in turns of its owners; of one owner, first come, first served. */
export class OwnerTurns<Item extends Waiting> {
  /** In the order of the owners' turns. */
  private readonly waiting = new Map<number, Array<Item>>()
  private count = 0
  private lastOwner: number | null = null

  get size(): number {
    return this.count
  }

  sizeOf(owner: number): number {
    return this.waiting.get(owner)?.length ?? 0
  }

  add(item: Item): void {
    const own = this.waiting.get(item.owner)
    if (own === undefined) this.waiting.set(item.owner, [item])
    else own.push(item)
    this.count++
  }

  /** Puts an item before all others of its owner. */
  addFirst(item: Item): void {
    this.waiting.set(item.owner, [item, ...(this.waiting.get(item.owner) ?? [])])
    this.count++
  }

  /** The first item of the first owner in turn for which that holds. The owner's next turn comes after those of all others. */
  take(holds: (first: Item) => boolean): Item | undefined {
    const item = this.find((first) => first.owner !== this.lastOwner && holds(first)) ?? this.find(holds)
    if (item === undefined) return undefined
    this.lastOwner = item.owner
    this.remove(item)
    const rest = this.waiting.get(item.owner)
    if (rest === undefined) return item
    this.waiting.delete(item.owner)
    this.waiting.set(item.owner, rest)
    return item
  }

  /** Of the first items of all owners, the first for which that holds. */
  find(holds: (first: Item) => boolean): Item | undefined {
    for (const [first] of this.waiting.values()) if (first !== undefined && holds(first)) return first
    return undefined
  }

  remove(item: Item): void {
    const own = this.waiting.get(item.owner)
    const at = own?.indexOf(item) ?? -1
    if (own === undefined || at < 0) return
    own.splice(at, 1)
    this.count--
    if (own.length === 0) this.waiting.delete(item.owner)
  }

  /** Removes everything. */
  takeAll(): ReadonlyArray<Item> {
    const all = [...this.waiting.values()].flat()
    this.waiting.clear()
    this.count = 0
    return all
  }
}
