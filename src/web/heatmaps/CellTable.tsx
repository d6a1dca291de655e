import { useMemo } from "react"
import type { Cells, Grid } from "./Grid.ts"
import { between, largest } from "./Grid.ts"

interface Props {
  readonly grid: Grid
  /** What the values are, in words. */
  readonly unit: string
  readonly describe: (index: number) => ReadonlyArray<string>
  /** What else is said of a cell; null where nothing is. */
  readonly more: string | null
  readonly onChoose: (cells: Cells) => void
}

const mostRows = 10

/** The largest cells as a table: what the picture shows, for who does not see it or has no mouse. */
export const CellTable = ({ grid, unit, describe, more, onChoose }: Props) => {
  const found = useMemo(() => largest(grid, mostRows), [grid])
  return (
    <section className="card" aria-label="Largest cells">
      <h2>Largest cells</h2>
      <div className="table-box" role="region" aria-label="Largest cells of the map" tabIndex={0}>
        <table className="table cell-table">
          <thead>
            <tr>
              <th scope="col">Where</th>
              <th scope="col" className="number">
                {unit}
              </th>
              {more !== null && <th scope="col">{more}</th>}
            </tr>
          </thead>
          <tbody>
            {found.map((index) => {
              const [value, where, ...others] = describe(index)
              return (
                <tr key={index}>
                  <th scope="row">
                    <button
                      type="button"
                      className="number-link"
                      onClick={() => onChoose(between(index, index, grid.columns))}
                    >
                      {where}
                    </button>
                  </th>
                  <td className="number">{value}</td>
                  {more !== null && <td>{others.join(", ")}</td>}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
}
