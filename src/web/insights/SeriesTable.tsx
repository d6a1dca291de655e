import type { ReactNode } from "react"
import { useMemo, useState } from "react"
import { SeriesName } from "../charts/SeriesName.tsx"
import { changeOf } from "../text/Change.ts"
import { changeText, numberText } from "../text/Numbers.ts"
import { NumberLink } from "../ui/NumberLink.tsx"
import type { Chosen } from "./Point.ts"
import type { ShownSeries } from "./Series.ts"
import { finishedValues } from "./Series.ts"

interface Props {
  readonly series: ReadonlyArray<ShownSeries>
  readonly complete: ReadonlyArray<boolean>
  readonly isCompared: boolean
  /** `day`, for "Last full day". */
  readonly step: string
  readonly onToggle: (key: string) => void
  readonly onIsolate: (key: string) => void
  readonly onChoose: (chosen: Chosen) => void
}

type Column = "name" | "aggregate" | "before" | "change" | "last" | "highest"

interface Sorting {
  readonly column: Column
  readonly isDescending: boolean
}

const Change = ({ now, before }: { readonly now: number | null; readonly before: number | null | undefined }) => {
  const change = changeOf(now, before)
  if (change === null) return <td className="number faint">–</td>
  return <td className={change > 0 ? "number up" : change < 0 ? "number down" : "number"}>{changeText(change)}</td>
}

interface HeadProps {
  readonly column: Column
  readonly sorting: Sorting | null
  readonly onSort: (sorting: Sorting | null) => void
  readonly children: ReactNode
}

/** The head of a column: a click sorts by it, another one turns the order, a third one gives the answer's own order back. */
const Head = ({ column, sorting, onSort, children }: HeadProps) => {
  const own = sorting?.column === column ? sorting : null
  // Numbers are wanted from the greatest on, names from A on.
  const isFirstDescending = column !== "name"
  const next =
    own === null
      ? { column, isDescending: isFirstDescending }
      : own.isDescending === isFirstDescending
        ? { column, isDescending: !isFirstDescending }
        : null
  return (
    <th
      scope="col"
      className={column === "name" ? "" : "number"}
      aria-sort={own === null ? undefined : own.isDescending ? "descending" : "ascending"}
    >
      <button type="button" className="sort" onClick={() => onSort(next)}>
        {children}
        <span aria-hidden="true">{own === null ? "" : own.isDescending ? " ↓" : " ↑"}</span>
      </button>
    </th>
  )
}

/** A row for each series, which is the chart's legend and its text. */
export const SeriesTable = ({ series, complete, isCompared, step, onToggle, onIsolate, onChoose }: Props) => {
  const [sorting, setSorting] = useState<Sorting | null>(null)
  const hasBefore = isCompared && series.some(({ before }) => before !== null)
  const rows = useMemo(() => sorted(series, complete, sorting), [complete, series, sorting])
  const head = { sorting, onSort: setSorting }
  return (
    <div className="table-box" role="region" aria-label="Values" tabIndex={0}>
      <table className="table table-pinned">
        <thead>
          <tr>
            <Head column="name" {...head}>
              Series
            </Head>
            <Head column="aggregate" {...head}>
              Whole period
            </Head>
            {hasBefore && (
              <>
                <Head column="before" {...head}>
                  Before
                </Head>
                <Head column="change" {...head}>
                  Change
                </Head>
              </>
            )}
            <Head column="last" {...head}>
              Last full {step}
            </Head>
            <Head column="highest" {...head}>
              Highest {step}
            </Head>
          </tr>
        </thead>
        <tbody>
          {rows.map((each) => {
            const { last, highest } = finishedValues(each, complete)
            return (
              <tr key={each.key} className={each.isHidden ? "row-hidden" : ""}>
                <th scope="row">
                  <SeriesName series={each} onToggle={onToggle} onIsolate={onIsolate} />
                </th>
                <td className="number">
                  <NumberLink
                    value={each.aggregate}
                    onChoose={(place) => onChoose({ point: { series: each, bucket: null }, place })}
                  />
                </td>
                {hasBefore && (
                  <>
                    <td className="number faint">{numberText(each.before?.aggregate)}</td>
                    <Change now={each.aggregate} before={each.before?.aggregate} />
                  </>
                )}
                <td className="number">{numberText(last)}</td>
                <td className="number">{numberText(highest)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

/** Rows in the order of a column; a row without its value comes last, whichever way the others are. */
const sorted = (
  series: ReadonlyArray<ShownSeries>,
  complete: ReadonlyArray<boolean>,
  sorting: Sorting | null
): ReadonlyArray<ShownSeries> => {
  if (sorting === null) return series
  const { column, isDescending } = sorting
  const sign = isDescending ? -1 : 1
  if (column === "name") {
    return [...series].sort((left, right) => sign * left.name.localeCompare(right.name, "en", { numeric: true }))
  }
  const valueOf = (each: ShownSeries): number | null => {
    if (column === "aggregate") return each.aggregate
    if (column === "before") return each.before?.aggregate ?? null
    if (column === "change") return changeOf(each.aggregate, each.before?.aggregate)
    return finishedValues(each, complete)[column]
  }
  const missing = isDescending ? -Infinity : Infinity
  const comparable = (each: ShownSeries): number => valueOf(each) ?? missing
  return [...series].sort((left, right) => {
    const [one, other] = [comparable(left), comparable(right)]
    return one === other ? 0 : sign * (one - other)
  })
}
