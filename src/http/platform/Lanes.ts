/** Things of one lane that were taken and are still in its list, at most: removing each by itself would move all others each time. */
const mostTaken = 1000

interface Lane<Thing> {
  readonly things: Array<Thing>
  /** How many at the head of `things` were taken. */
  taken: number
}

/** What waits, in lanes by name: one of each lane is taken in turn, and those of one lane in the order in which they came. */
export class Lanes<Thing> {
  /** In the order in which they are next. */
  private readonly lanes = new Map<string, Lane<Thing>>()
  private count = 0

  get length(): number {
    return this.count
  }

  add(name: string, thing: Thing): void {
    this.count++
    const lane = this.lanes.get(name)
    if (lane === undefined) this.lanes.set(name, { things: [thing], taken: 0 })
    else lane.things.push(thing)
  }

  /** The next one; undefined where none waits. */
  take(): Thing | undefined {
    for (const [name, lane] of this.lanes) {
      const thing = lane.things[lane.taken++]
      this.count--
      this.lanes.delete(name)
      if (lane.taken === mostTaken) {
        lane.things.splice(0, mostTaken)
        lane.taken = 0
      }
      if (lane.taken < lane.things.length) this.lanes.set(name, lane)
      return thing
    }
    return undefined
  }
}
