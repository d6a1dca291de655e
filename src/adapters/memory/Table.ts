/**
 * The rows of one table. Each write replaces the list instead of changing it, so a snapshot is simply the list. A row that does not belong here
 * is not inserted, and `hasRefused` says so until a snapshot is restored.
 */
export class Table<Row> {
  rows: ReadonlyArray<Row> = []
  hasRefused = false
  private highest = 0
  private readonly belongs: (row: Row) => boolean

  constructor(belongs: (row: Row) => boolean = () => true) {
    this.belongs = belongs
  }

  nextId(): number {
    return ++this.highest
  }

  insert(row: Row): Row {
    if (this.belongs(row)) this.rows = [...this.rows, row]
    else this.hasRefused = true
    return row
  }

  replace(test: (row: Row) => boolean, next: Row): Row {
    this.rows = this.rows.map((row) => (test(row) ? next : row))
    return next
  }

  remove(test: (row: Row) => boolean): void {
    this.rows = this.rows.filter((row) => !test(row))
  }

  /** Returns a function that restores the present rows. */
  snapshot(): () => void {
    const { rows } = this
    return () => {
      this.rows = rows
      this.hasRefused = false
    }
  }
}

/** Whether the row of another table that a row names, if it names any, is there. */
export const belongsTo =
  <Parent extends { readonly id: unknown }, Row>(parents: Table<Parent>, parentOf: (row: Row) => Parent["id"] | null) =>
  (row: Row): boolean => {
    const parent = parentOf(row)
    return parent === null || parents.rows.some(({ id }) => id === parent)
  }
