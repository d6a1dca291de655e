import { useMemo, useState } from "react"
import type { Tile } from "../api/boards.ts"
import type { Answer } from "../api/Wire.ts"
import { BucketTable } from "../insights/BucketTable.tsx"
import { insightKind, namesIn } from "../insights/InsightKind.ts"
import { isOfOneMetric, shownSeries } from "../insights/Series.ts"
import { NotedChart } from "../notes/NotedChart.tsx"
import type { SavedQuestion } from "../saved/Kind.ts"
import { numberText } from "../text/Numbers.ts"
import type { Step } from "../text/Times.ts"
import { bucketName } from "../text/Times.ts"
import "../theme/boards.css"

interface Props {
  readonly answer: Answer<"queries.insights">
  readonly saved: SavedQuestion
  readonly display: Tile["display"]
  readonly timezone: string
  /** Pixels that the drawing may be high. */
  readonly height: number
}

/** What the page cannot show of a question that a program made has its usual looks. */
const unnamed = insightKind.codec.read(new URLSearchParams())

/** The time that a number is of: `12 Nov to 26 Nov`. */
const spanText = (buckets: ReadonlyArray<string>, step: Step, timezone: string): string =>
  [...new Set([buckets.at(0), buckets.at(-1)])]
    .flatMap((bucket) => (bucket === undefined ? [] : [bucketName(bucket, step, timezone)]))
    .join(" to ")

const mostNumbers = 4
const mostNames = 6

export const InsightTile = ({ answer, saved, display, timezone, height }: Props) => {
  const [colors] = useState(() => new Map<string, number>())
  const question = useMemo(() => insightKind.read(saved, timezone) ?? unnamed, [saved, timezone])
  const names = useMemo(() => (saved.queryType === "insight" ? namesIn(saved.spec) : undefined), [saved])
  const series = useMemo(() => shownSeries(answer, question, colors, names), [answer, colors, names, question])
  const { buckets, complete, time } = answer
  const shown = display ?? question.display
  const common = { buckets, complete, series, step: time.step, timezone: time.timezone }
  if (series.every(({ values }) => values.every((value) => value === null || value === 0))) {
    return <p className="tile-nothing">Nothing happened in this time.</p>
  }
  if (shown === "table") return <BucketTable {...common} />
  if (shown === "number" || shown === "totalBars" || shown === "totals") {
    return (
      <dl className="tile-numbers">
        {series.slice(0, mostNumbers).map(({ key, name, aggregate }) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{numberText(aggregate)}</dd>
            <dd className="faint">{spanText(buckets, time.step, time.timezone)}</dd>
          </div>
        ))}
      </dl>
    )
  }
  const hasNames = series.length > 1
  return (
    <>
      <NotedChart
        {...common}
        label={saved.name}
        kind={shown === "bars" || shown === "area" ? shown : "line"}
        isShare={question.isShare}
        isLogarithmic={question.isLogarithmic}
        isStacked={isOfOneMetric(answer)}
        height={Math.max(96, hasNames ? height - 32 : height)}
      />
      {hasNames && (
        <p className="tile-names">
          {series.slice(0, mostNames).map(({ key, name, color }) => (
            <span key={key}>
              <i className={`swatch series-${color ?? "other"}`} />
              {name}
            </span>
          ))}
          {series.length > mostNames && <span className="faint">and {series.length - mostNames} more</span>}
        </p>
      )}
    </>
  )
}
