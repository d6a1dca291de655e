import type { Answer } from "../api/Wire.ts"
import { RetentionGrid } from "../retention/RetentionGrid.tsx"
import type { Interval } from "../retention/RetentionQuestion.ts"
import "../theme/retention.css"

interface Props {
  readonly answer: Answer<"queries.retention">
  readonly label: string
  readonly interval: Interval
  readonly timezone: string
  /** Rows are picked, and players met, on the page of the question. */
  readonly onOpen: () => void
}

export const RetentionTile = ({ answer, label, interval, timezone, onOpen }: Props) => {
  const series = answer.series[0]
  return series === undefined || series.total.size === 0 ? (
    <p className="tile-nothing">Nobody began in this time.</p>
  ) : (
    <RetentionGrid
      series={series}
      interval={interval}
      timezone={timezone}
      now={Date.parse(answer.meta.asOf)}
      label={label}
      picked={[]}
      onPick={onOpen}
      onWho={onOpen}
    />
  )
}
