import type { ReactNode } from "react"
import "../theme/listTable.css"

export interface ListColumn<Row> {
  /** Heads the column; on phones it stands before each value. */
  readonly name: string
  /** `head` names the row; of `actions` and `picture` only screen readers are told the name. */
  readonly kind?: "head" | "text" | "number" | "actions" | "picture"
  readonly className?: string
  readonly render: (row: Row) => ReactNode
}

interface Props<Row> {
  /** "List of keys". */
  readonly label: string
  readonly columns: ReadonlyArray<ListColumn<Row>>
  readonly rows: ReadonlyArray<Row>
  readonly keyOf: (row: Row) => number | string
  /** Whether the row is of the past, and shown paler. */
  readonly isOver?: (row: Row) => boolean
}

const classOf = <Row,>({ kind = "text", className = "" }: ListColumn<Row>): string =>
  `${kind === "number" ? "number" : kind === "actions" ? "row-actions" : ""} ${className}`.trim()

const Cell = <Row,>({ column, row }: { readonly column: ListColumn<Row>; readonly row: Row }) => {
  const { name, kind = "text", render } = column
  if (kind === "head") {
    return (
      <th scope="row" className={`named ${classOf(column)}`.trim()}>
        {render(row)}
      </th>
    )
  }
  return (
    <td className={classOf(column)} data-name={kind === "text" || kind === "number" ? name : undefined}>
      <div>{render(row)}</div>
    </td>
  )
}

/** A list as a table; on phones each row is a block, so that nothing has to be scrolled sideways. */
export const ListTable = <Row,>({ label, columns, rows, keyOf, isOver }: Props<Row>) => (
  <div className="table-box list-table-box" role="region" aria-label={label} tabIndex={0}>
    <table className="table list-table">
      <thead>
        <tr>
          {columns.map(({ name, kind = "text" }) => (
            <th key={name} scope="col" className={kind === "number" ? "number" : undefined}>
              {kind === "actions" || kind === "picture" ? <span className="unseen">{name}</span> : name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={isOver?.(row) === true ? "row-over" : undefined}>
            {columns.map((column) => (
              <Cell key={column.name} column={column} row={row} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
