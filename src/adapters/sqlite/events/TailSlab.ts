import { type Column, columnOf } from "./Column.ts"
import type { Draft } from "./Draft.ts"
import type { Slab } from "./Slab.ts"

/** What the stored frame of a tail row says beside its columns. */
export interface TailRow {
  readonly markerId: string | null
  readonly receivedAt: number
}

/** Rows of the tail of one environment, of any type. */
export class TailSlab implements Slab {
  readonly type = null
  readonly rows: number
  readonly columnNames: ReadonlyArray<string>
  private readonly draft: Draft
  private readonly order: Uint32Array
  private readonly ordered: {
    times?: Float64Array
    sequences?: Float64Array
    units?: Uint32Array
    sessions?: Uint32Array
  } = {}
  private readonly columns = new Map<string, Column | undefined>()

  constructor(draft: Draft) {
    this.draft = draft
    this.rows = draft.rows
    this.order = draft.order()
    this.columnNames = [...draft.columns.keys()]
  }

  get firstTimestamp(): number {
    return this.times()[0]!
  }

  get lastTimestamp(): number {
    return this.times()[this.rows - 1]!
  }

  times(): Float64Array {
    return (this.ordered.times ??= Float64Array.from(this.order, (row) => this.draft.times[row]!))
  }

  sequences(): Float64Array {
    return (this.ordered.sequences ??= Float64Array.from(this.order, (row) => this.draft.sequences[row]!))
  }

  units(): Uint32Array {
    return (this.ordered.units ??= this.order.map((row) => this.draft.units[row]!))
  }

  sessions(): Uint32Array {
    return (this.ordered.sessions ??= this.order.map((row) => this.draft.sessions[row]!))
  }

  column(name: string): Column | undefined {
    if (!this.columns.has(name)) {
      const cells = this.draft.columns.get(name)
      this.columns.set(name, cells === undefined ? undefined : columnOf(Array.from(this.order, (row) => cells[row])))
    }
    return this.columns.get(name)
  }
}
