const slots = { cancelled: 0, scanned: 1, total: 2, done: 3 } as const

/** The part of a question that is over once its rows are selected; the rest is going through them. */
const selectingShare = 0.5

/** The caller of a question has asked to stop it. */
export class Cancelled extends Error {
  override readonly name = "Cancelled"
}

/** Memory shared by the thread that asks and the thread that scans: a flag to stop, and the scan's progress in rows. */
export class Control {
  readonly shared: SharedArrayBuffer
  private readonly words: Int32Array
  /** Where the stage that runs begins and ends, as a share of the question. */
  private from = 0
  private to = selectingShare
  /** Work of the stage, and how much of it is done. */
  private work = 1
  private worked = 0

  constructor(shared = new SharedArrayBuffer(16)) {
    this.shared = shared
    this.words = new Int32Array(shared)
  }

  cancel(): void {
    Atomics.store(this.words, slots.cancelled, 1)
  }

  /** Begins a question over so many rows. */
  expect(rows: number): void {
    Atomics.store(this.words, slots.total, rows)
    Atomics.store(this.words, slots.done, 0)
    this.begin(0, selectingShare, rows)
  }

  /** The rows are selected from so often, instead of once. */
  selections(count: number): void {
    this.work = Math.max(1, this.rowsTotal * count)
  }

  /** The rows are selected; so many of them are gone through next, told by `did`. */
  follow(rows: number): void {
    this.begin(selectingShare, 1, rows)
  }

  /** Counts rows that were selected from; throws Cancelled once somebody has asked to stop. */
  advance(rows: number): void {
    Atomics.add(this.words, slots.scanned, rows)
    this.did(rows)
  }

  /** Counts work that scans no row; throws Cancelled once somebody has asked to stop. */
  did(rows: number): void {
    this.worked += rows
    this.show(this.from + (this.to - this.from) * Math.min(1, this.worked / this.work))
    if (Atomics.load(this.words, slots.cancelled) !== 0) throw new Cancelled("The question was cancelled")
  }

  /** The question is answered: as many rows as it took are both what was to do and what is done. */
  finish(): void {
    Atomics.store(this.words, slots.total, this.rowsScanned)
    Atomics.store(this.words, slots.done, this.rowsScanned)
  }

  /** Rows that were read, each as often as it was. */
  get rowsScanned(): number {
    return Atomics.load(this.words, slots.scanned)
  }

  /** How much of `rowsTotal` the question is through with. */
  get rowsDone(): number {
    return Atomics.load(this.words, slots.done)
  }

  get rowsTotal(): number {
    return Atomics.load(this.words, slots.total)
  }

  private begin(from: number, to: number, work: number): void {
    this.from = from
    this.to = to
    this.work = Math.max(1, work)
    this.worked = 0
  }

  private show(share: number): void {
    const done = Math.floor(share * this.rowsTotal)
    if (done > this.rowsDone) Atomics.store(this.words, slots.done, done)
  }
}
