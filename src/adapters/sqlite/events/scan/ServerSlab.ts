import type { Column } from "../format/Column.ts"
import { columnName } from "../format/Draft.ts"
import type { Slab } from "../file/Slab.ts"
import type { Environment } from "../read/Snapshot.ts"

const serversOf = (slab: Slab, { unitId }: Environment): Uint32Array => {
  const column = slab.column(columnName.server)
  const units = new Uint32Array(slab.rows)
  if (column === undefined || column.type === "numbers") return units
  const { codes, lexicon } = column
  const unitOf = Uint32Array.from({ length: lexicon.count + 1 }, (_, code) =>
    code === 0 ? 0 : (unitId(String(lexicon.value(code - 1))) ?? 0)
  )
  for (let row = 0; row < units.length; row++) units[row] = unitOf[codes[row]!]!
  return units
}

/** Rows whose units are the servers they come from, as far as these are units of something. */
export class ServerSlab implements Slab {
  readonly rows: number
  readonly type: string | null
  readonly firstTimestamp: number
  readonly lastTimestamp: number
  readonly columnNames: ReadonlyArray<string>
  private readonly slab: Slab
  private readonly servers: Uint32Array

  constructor(slab: Slab, environment: Environment) {
    this.rows = slab.rows
    this.type = slab.type
    this.firstTimestamp = slab.firstTimestamp
    this.lastTimestamp = slab.lastTimestamp
    this.columnNames = slab.columnNames
    this.slab = slab
    this.servers = serversOf(slab, environment)
  }

  times(): Float64Array {
    return this.slab.times()
  }

  rowAt(instant: number): number {
    return this.slab.rowAt(instant)
  }

  sequences(): Float64Array {
    return this.slab.sequences()
  }

  units(): Uint32Array {
    return this.servers
  }

  sessions(): Uint32Array {
    return this.slab.sessions()
  }

  column(name: string): Column | undefined {
    return this.slab.column(name)
  }

  columnAt(name: string, rows: Uint32Array): Column | undefined {
    return this.slab.columnAt(name, rows)
  }

  sessionsAt(rows: Uint32Array): ArrayLike<number> {
    return this.slab.sessionsAt(rows)
  }

  derived(_key: string, make: () => Uint32Array): Uint32Array {
    return make()
  }
}
