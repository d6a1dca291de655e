/** All that tells an item of a list from others. */
type Facts = Readonly<Record<string, string | number | null>>

/** How lists are told apart: by their items in their order. */
export interface ListNumbersOptions<Item, Known extends Facts> {
  /** The most items and beginnings of lists that are remembered; 20,000, some megabytes, unless said. */
  readonly most?: number
  /** Items of different keys are different. */
  readonly keyOf: (item: Item) => number
  readonly factsOf: (item: Item) => Known
}

const mostKnown = 20_000

/** For facts of the same names. */
const areSame = (one: Facts, other: Facts): boolean => {
  for (const name in one) if (one[name] !== other[name]) return false
  return true
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
export class ListNumbers<Item, Known extends Facts> {
  private readonly options: ListNumbersOptions<Item, Known>
  private readonly items = new Map<number, Array<Known>>()
  private last = 0
  private known = 0
  private empty: Beginning<Known> = this.begin()

  constructor(options: ListNumbersOptions<Item, Known>) {
    this.options = options
  }

  of(list: ReadonlyArray<Item>): number {
    if (this.known > (this.options.most ?? mostKnown)) this.forget()
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
    const key = this.options.keyOf(item)
    const known = this.options.factsOf(item)
    const alike = this.items.get(key)
    for (const each of alike ?? []) if (areSame(each, known)) return each
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
