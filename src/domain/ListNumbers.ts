/** All that tells an item of a list from others. */
type Facts = Readonly<Record<string, string | number | null>>

/** How lists are told apart: by their items in their order. */
export interface ListNumbersOptions<Item, Known extends Facts> {
  /** The most items and beginnings of lists in one generation; 20,000, some megabytes, unless said. */
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
  /** Of the list that is no longer than this; undefined while nobody asked for it. */
  number: number | undefined
  /** By what is remembered of the item that follows. */
  next: Map<Known, Beginning<Known>> | undefined
}

/** What was asked about since a moment. */
class Generation<Known extends Facts> {
  readonly items = new Map<number, Array<Known>>()
  readonly empty: Beginning<Known> = { number: undefined, next: undefined }
  /** Items and beginnings. */
  known = 0

  /** The item that was the same. */
  item(key: number, facts: Known): Known | undefined {
    for (const each of this.items.get(key) ?? []) if (areSame(each, facts)) return each
    return undefined
  }

  remember(key: number, facts: Known): void {
    const alike = this.items.get(key)
    if (alike === undefined) this.items.set(key, [facts])
    else alike.push(facts)
    this.known++
  }

  /** The number of the list of these items, where it was asked about. */
  numberOf(items: ReadonlyArray<Known>): number | undefined {
    let found: Beginning<Known> | undefined = this.empty
    for (const each of items) {
      found = found.next?.get(each)
      if (found === undefined) return undefined
    }
    return found.number
  }

  /** What is remembered of the beginning that goes on with the item. */
  following(beginning: Beginning<Known>, item: Known): Beginning<Known> {
    const next = (beginning.next ??= new Map())
    let found = next.get(item)
    if (found === undefined) {
      found = { number: undefined, next: undefined }
      next.set(item, found)
      this.known++
    }
    return found
  }
}

/**
 * Numbers lists, so that whoever keeps something for each list looks it up by a number and not by a text of all its items: many players are in the
 * same groups. Two lists have one number only if they are the same. What is asked about comes into the present generation. Once that has `most` items
 * and beginnings, it becomes the one before, and what was only in the one before that is forgotten: so a list keeps its number while it
 * is asked about now and then, and one that comes back later gets another one, which no list had.
 */
export class ListNumbers<Item, Known extends Facts> {
  private readonly options: ListNumbersOptions<Item, Known>
  private last = 0
  private present = new Generation<Known>()
  private before = new Generation<Known>()

  constructor(options: ListNumbersOptions<Item, Known>) {
    this.options = options
  }

  of(list: ReadonlyArray<Item>): number {
    if (this.present.known > (this.options.most ?? mostKnown)) {
      this.before = this.present
      this.present = new Generation()
    }
    const items: Array<Known> = []
    let found = this.present.empty
    for (const each of list) {
      const item = this.remembered(each)
      items.push(item)
      found = this.present.following(found, item)
    }
    return (found.number ??= this.before.numberOf(items) ?? this.last++)
  }

  /** Of the first item that was the same, in either generation: then their lists are of the same items. */
  private remembered(item: Item): Known {
    const [key, facts] = [this.options.keyOf(item), this.options.factsOf(item)]
    const present = this.present.item(key, facts)
    if (present !== undefined) return present
    const known = this.before.item(key, facts) ?? facts
    this.present.remember(key, known)
    return known
  }
}
