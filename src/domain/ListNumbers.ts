/** How lists are told apart: by their items in their order. */
export interface ListNumbersOptions<Item, Known extends object> {
  /** The most items and beginnings of lists that are remembered. */
  readonly most: number
  /** Items of different keys are different. */
  readonly keyOf: (item: Item) => number
  /** What is remembered of an item: all that tells it from others. */
  readonly knownOf: (item: Item) => Known
  readonly isSame: (known: Known, item: Item) => boolean
}

interface Beginning<Known> {
  readonly number: number
  /** By what is remembered of the item that follows. */
  readonly next: Map<Known, Beginning<Known>>
}

/**
 * Numbers lists, so that whoever keeps something for each list looks it up by a number and not by a text of all its items: many players are in the
 * same groups. Two lists have one number only if they are the same. The same list may get another one once too many are known: then all are
 * forgotten, and none of their numbers is given again.
 */
export class ListNumbers<Item, Known extends object> {
  private readonly options: ListNumbersOptions<Item, Known>
  private readonly items = new Map<number, Array<Known>>()
  private last = 0
  private known = 0
  private empty: Beginning<Known> = this.begin()

  constructor(options: ListNumbersOptions<Item, Known>) {
    this.options = options
  }

  of(list: ReadonlyArray<Item>): number {
    if (this.known > this.options.most) this.forget()
    let found = this.empty
    for (const each of list) {
      const known = this.remembered(each)
      let next = found.next.get(known)
      if (next === undefined) {
        next = this.begin()
        found.next.set(known, next)
      }
      found = next
    }
    return found.number
  }

  private begin(): Beginning<Known> {
    this.known++
    return { number: this.last++, next: new Map() }
  }

  /** Of the first item that was the same. */
  private remembered(item: Item): Known {
    const { keyOf, knownOf, isSame } = this.options
    const key = keyOf(item)
    const alike = this.items.get(key)
    for (const each of alike ?? []) if (isSame(each, item)) return each
    const known = knownOf(item)
    if (alike === undefined) this.items.set(key, [known])
    else alike.push(known)
    this.known++
    return known
  }

  private forget(): void {
    this.items.clear()
    this.known = 0
    this.empty = this.begin()
  }
}
