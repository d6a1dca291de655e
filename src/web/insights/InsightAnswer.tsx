import { useMemo } from "react"
import type { Answer } from "../api/Wire.ts"
import { looks } from "../builder/Breakdown.ts"
import { isolated, toggled } from "../charts/Hidden.ts"
import { TotalBars } from "../charts/TotalBars.tsx"
import { countText } from "../text/Numbers.ts"
import { NotedChart } from "../notes/NotedChart.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Callout, Empty } from "../ui/States.tsx"
import { NumberLink } from "../ui/NumberLink.tsx"
import { BucketTable } from "./BucketTable.tsx"
import type { Chosen } from "./Point.ts"
import { isDrawn } from "./Ask.ts"
import type { InsightDraft } from "./Question.ts"
import type { ShownSeries } from "./Series.ts"
import { greySeries, isOfOneMetric, shownSeries } from "./Series.ts"
import { readText } from "./ReadText.ts"
import { SeriesTable } from "./SeriesTable.tsx"

interface Props {
  readonly answer: Answer<"queries.insights">
  readonly question: InsightDraft
  /** The looks that series have had on the page. */
  readonly colors: Map<string, number>
  readonly sentence: string
  readonly onHide: (hidden: ReadonlyArray<string>) => void
  /** A number was chosen. */
  readonly onChoose: (chosen: Chosen) => void
}

interface BigNumbersProps {
  readonly series: ReadonlyArray<ShownSeries>
  readonly onChoose: Props["onChoose"]
}

const BigNumbers = ({ series, onChoose }: BigNumbersProps) => (
  <dl className="big-numbers">
    {series.map((each) => (
      <div key={each.key}>
        <dt>{each.name}</dt>
        <dd>
          <NumberLink
            value={each.aggregate}
            onChoose={(place) => onChoose({ point: { series: each, bucket: null }, place })}
          />
        </dd>
      </div>
    ))}
  </dl>
)

const unfinishedText = (step: string, complete: ReadonlyArray<boolean>, isDashed: boolean): string =>
  complete.at(-1) === false ? ` The last ${step} is not over${isDashed ? ": it is drawn dashed" : ""}.` : ""

/** The answer to a question of insights: chart, table, and what it was read from. */
export const InsightAnswer = ({ answer, question, colors, sentence, onHide, onChoose }: Props) => {
  const series = useMemo(() => shownSeries(answer, question, colors), [answer, colors, question])
  const { buckets, complete, time, meta } = answer
  const common = { buckets, complete, step: time.step, timezone: time.timezone }
  const toggle = (key: string) => onHide(toggled(question.hidden, key))
  const isolate = (key: string) =>
    onHide(
      isolated(
        question.hidden,
        series.map((each) => each.key),
        key
      )
    )
  const choose = (key: string, bucket: number | null, place: DOMRect) => {
    const chosen = series.find((each) => each.key === key)
    if (chosen !== undefined) onChoose({ point: { series: chosen, bucket }, place })
  }
  const grey = greySeries(series).length
  const isSilent = series.every(({ values }) => values.every((value) => value === null || value === 0))
  if (series.length === 0 || isSilent) {
    return (
      <Empty title="Nothing happened in this time">
        {meta.warnings?.at(0)?.message ?? "Try a longer period, another marker or fewer filters."}
      </Empty>
    )
  }
  return (
    <>
      {meta.warnings?.map(({ message }) => (
        <Callout key={message}>{message}</Callout>
      ))}
      {question.isCompared && series.every(({ before }) => before === null) && (
        <Callout>There are no markers in the period before, so there is nothing to compare with.</Callout>
      )}
      {isDrawn(question) && (
        <NotedChart
          {...common}
          hasTable
          label={sentence}
          kind={question.display}
          series={series}
          isStacked={question.isShare || isOfOneMetric(answer)}
          isShare={question.isShare}
          isLogarithmic={question.isLogarithmic}
          onChoose={choose}
        />
      )}
      {question.display === "totals" && (
        <TotalBars label={sentence} series={series} onChoose={(key, place) => choose(key, null, place)} />
      )}
      {grey > 0 && question.display !== "number" && question.display !== "table" && (
        <p className="faint">
          {countText(grey, "series", "series")} beyond the first {looks} share one grey.
        </p>
      )}
      {question.display === "number" && <BigNumbers series={series} onChoose={onChoose} />}
      {question.display === "table" ? (
        <BucketTable {...common} series={series} onChoose={onChoose} />
      ) : (
        <SeriesTable
          series={series}
          complete={complete}
          isCompared={question.isCompared}
          step={time.step}
          onToggle={toggle}
          onIsolate={isolate}
          onChoose={onChoose}
        />
      )}
      <footer className="card-foot">
        <span>
          <Icon name="clock" size={13} />
          {readText(meta)}
        </span>
        <span>
          Times are {time.timezone}.{unfinishedText(time.step, complete, isDrawn(question))}
        </span>
      </footer>
    </>
  )
}
