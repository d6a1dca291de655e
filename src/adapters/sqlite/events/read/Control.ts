const slots = { cancelled: 0, scanned: 1, total: 2 } as const

/** The caller of a question has asked to stop it. */
export class Cancelled extends Error {
  override readonly name = "Cancelled"
}

/** Memory shared by the thread that asks and the thread that scans: a flag to stop, and the scan's progress in rows. */
export class Control {
  readonly shared: SharedArrayBuffer
  private readonly words: Int32Array

  constructor(shared = new SharedArrayBuffer(12)) {
    this.shared = shared
    this.words = new Int32Array(shared)
  }

  cancel(): void {
    Atomics.store(this.words, slots.cancelled, 1)
  }

  /** Announces rows that are going to be scanned. */
  expect(rows: number): void {
    Atomics.add(this.words, slots.total, rows)
  }

  /** Counts scanned rows. Throws Cancelled if the asking thread has called `cancel`. */
  advance(rows: number): void {
    Atomics.add(this.words, slots.scanned, rows)
    if (Atomics.load(this.words, slots.cancelled) !== 0) throw new Cancelled("The question was cancelled")
  }

  get rowsScanned(): number {
    return Atomics.load(this.words, slots.scanned)
  }

  get rowsTotal(): number {
    return Atomics.load(this.words, slots.total)
  }
}
