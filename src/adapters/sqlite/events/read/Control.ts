const slots = { cancelled: 0, scanned: 1, total: 2, done: 3 } as const

/** The share of a question's progress that selecting its rows takes up; going through the selected rows takes up the rest. */
const selectingShare = 0.5

/** The caller of a question has asked to stop it. */
export class Cancelled extends Error {
  override readonly name = "Cancelled"
}

/** Memory shared by the thread that asks and the thread that scans: a flag to stop, and the scan's progress in rows. */
export class Control {
  readonly shared: SharedArrayBuffer
  private readonly words: Int32Array
  /** The shares of the question at which the present stage begins and ends. */
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

  /** Tells that the rows will be selected from `count` times instead of once. */
  selections(count: number): void {
    this.work = Math.max(1, this.rowsTotal * count)
  }

  /** Ends the selecting. The next stage goes through `rows` selected rows, and tells each of them by `did`. */
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

  /** Ends the question: total and done become the number of rows that it scanned. */
  finish(): void {
    Atomics.store(this.words, slots.total, this.rowsScanned)
    Atomics.store(this.words, slots.done, this.rowsScanned)
  }

  /** Rows that were scanned; a row that was scanned twice counts twice. */
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
