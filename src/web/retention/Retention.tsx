import { isOffline } from "../api/Failure.ts"
import { useState } from "react"
import { useMarkerTypes } from "../api/queries.ts"
import { retentionKey, useRetention } from "../api/questions.ts"
import { useNewData } from "../charts/useNewData.ts"
import { Given } from "../background/Given.tsx"
import { StillWorking } from "../background/StillWorking.tsx"
import { chosenText, markerChoices } from "../builder/FieldChoices.ts"
import { FailedPage } from "../shell/UnansweredPage.tsx"
import { NothingYet } from "../shell/NothingYet.tsx"
import { ExportMenu } from "../export/ExportMenu.tsx"
import { Opened } from "../saved/Opened.tsx"
import { SaveButton, SavedName } from "../saved/SaveControls.tsx"
import { useQuestionState } from "../saved/useQuestionState.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { useToday } from "../shell/useToday.ts"
import { bucketName } from "../text/Times.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { NewData } from "../ui/NewData.tsx"
import { Picker } from "../ui/Picker.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { curveLines } from "./Cells.ts"
import { Benchmarks } from "./Benchmarks.tsx"
import { RetentionCurve } from "./RetentionCurve.tsx"
import type { RetentionCell } from "./Behind.tsx"
import { Behind } from "./Behind.tsx"
import { RetentionGrid } from "./RetentionGrid.tsx"
import { retentionKind } from "./RetentionKind.ts"
import type { RetentionQuestion } from "./RetentionQuestion.ts"
import { retentionBody, retentionWords, rowsIn } from "./RetentionQuestion.ts"
import "../theme/retention.css"

const units = [
  ["day", "Day"],
  ["week", "Week"],
  ["month", "Month"]
] as const

const usual = [7, 14, 30] as const

/** The usual numbers of rows or columns, and the one that the question has. */
const choicesWith = (count: number): ReadonlyArray<readonly [string, string]> =>
  [...new Set([...usual, count])]
    .sort((left, right) => left - right)
    .map((each) => [String(each), String(each)] as const)

const RetentionPage = () => {
  const { timezone } = useProject()
  const where = useWhere()
  const { state: stated, change, ...opened } = useQuestionState(retentionKind)
  const types = useMarkerTypes(where)
  const markers = markerChoices(types.data ?? [])
  const first = markers[0]?.value ?? ""
  const question = { ...stated, start: stated.start || first, back: stated.back || first }
  const body = retentionBody(question)
  const retention = useRetention(where, body, question)
  const set = (part: Partial<RetentionQuestion>) => change((state) => ({ ...state, ...part }))
  const [cell, setCell] = useState<RetentionCell | null>(null)
  const answer = retention.data?.answer
  // What the answer on the screen was asked: another one may be on its way.
  const asked = retention.data?.asked ?? question
  const series = answer?.series[0]
  const sentence = retentionWords(asked)
  const day = useToday()
  const { hasNew, pointer } = useNewData(where, {
    day,
    isAboutNow: true,
    types: [question.start, question.back],
    answeredAt: retention.dataUpdatedAt,
    refetch: retention.refetch
  })
  const unitName = units.find(([unit]) => unit === asked.interval)?.[1] ?? ""

  if (types.error !== null && types.data === undefined) {
    return <FailedPage error={types.error} retry={() => void types.refetch()} />
  }
  if (types.data?.length === 0) return <NothingYet title="Retention" />
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>Retention</h1>
          <p>{retentionWords(question)}</p>
          <SavedName opened={opened} />
        </div>
        <div className="row">
          <NewData isThere={hasNew} onRefresh={() => void retention.refetch()} />
          <SaveButton kind={retentionKind} question={question} opened={opened} />
          <CopyButton text={window.location.href} label="Share" />
          {series !== undefined && body !== null && (
            <ExportMenu
              isDrawn={series.total.size > 0}
              onExport={async (kind) => {
                const { exportRetention } = await import("./ExportRetention.ts")
                const { picked, benchmarks } = question
                return exportRetention(kind, {
                  series,
                  question: { ...asked, picked, benchmarks },
                  body,
                  where,
                  timezone
                })
              }}
            />
          )}
        </div>
      </header>
      <section className="card" aria-label="Answer" aria-busy={retention.isFetching} {...pointer}>
        <div className="toolbar">
          <span className="faint">Players whose first</span>
          <Picker
            label="First marker"
            tone="quiet"
            value={question.start}
            placeholder={chosenText(question.start)}
            choices={markers}
            onChoose={(start) => set({ start })}
          />
          <span className="faint">come back with</span>
          <Picker
            label="Marker of the return"
            tone="quiet"
            value={question.back}
            placeholder={chosenText(question.back)}
            choices={markers}
            onChoose={(back) => set({ back })}
          />
          <span className="toolbar-end row">
            <Segmented
              label="By"
              value={question.interval}
              choices={units}
              onChoose={(interval) => set({ interval, picked: [], benchmarks: [] })}
            />
            <span className="faint">Rows</span>
            <Segmented
              label={`Rows: ${question.interval}s in which players began`}
              value={String(rowsIn(question))}
              choices={choicesWith(rowsIn(question))}
              onChoose={(rows) => set({ rows: Number(rows) === question.count ? null : Number(rows) })}
            />
            <span className="faint">Columns</span>
            <Segmented
              label={`Columns: ${question.interval}s after the first`}
              value={String(question.count)}
              choices={choicesWith(question.count)}
              onChoose={(count) =>
                set({ count: Number(count), rows: Number(count) === question.rows ? null : question.rows })
              }
            />
          </span>
        </div>
        <StillWorking
          kind={retentionKind}
          question={question}
          queryKey={retentionKey(where, body)}
          isFetching={retention.isFetching}
        />
        {retention.error !== null && (answer === undefined || !isOffline(retention.error)) ? (
          <Failed error={retention.error} retry={() => void retention.refetch()} />
        ) : answer === undefined ? (
          retention.fetchStatus === "idle" && body !== null ? (
            <Given onAsk={() => void retention.refetch()} />
          ) : (
            <Skeleton height={480} />
          )
        ) : series === undefined || series.total.size === 0 ? (
          <Empty title={`No player did ${asked.start} for the first time`}>
            {answer.meta.warnings?.at(0)?.message ?? "Try more days, or another marker."}
          </Empty>
        ) : (
          <>
            <RetentionCurve
              label={`${sentence}: the average, the rows that are picked, and the benchmarks`}
              intervals={series.total.values.map(({ interval }) => `${unitName} ${interval}`)}
              lines={curveLines(series, question.picked, (start) => bucketName(start, asked.interval, timezone))}
              benchmarks={question.benchmarks}
            />
            <Benchmarks
              benchmarks={question.benchmarks}
              unit={unitName}
              last={question.count}
              averages={series.total.values.map(({ rate, size }) => (size === 0 ? null : rate))}
              onChange={(benchmarks) => set({ benchmarks })}
            />
            <RetentionGrid
              series={series}
              interval={asked.interval}
              timezone={timezone}
              now={Date.parse(answer.meta.asOf)}
              label={sentence}
              picked={question.picked}
              onPick={(picked) => change((state) => ({ ...state, picked }), { replace: true })}
              onWho={(start, interval) => {
                // The grid of the question before stays until the answer is there; its players are not asked for.
                if (!retention.isPlaceholderData) setCell({ start, interval })
              }}
            />
          </>
        )}
        <footer className="card-foot">
          <span>Numbers are percent of the players of their row. Hatched cells are not over.</span>
          <span>Times are {timezone}.</span>
        </footer>
      </section>
      {cell !== null && answer !== undefined && body !== null && (
        <Behind
          where={where}
          answer={answer}
          question={question}
          body={body}
          timezone={timezone}
          cell={cell}
          onClose={() => setCell(null)}
        />
      )}
    </div>
  )
}

/** The page, with a saved question where the address names one. */
export const Retention = () => (
  <Opened kind={retentionKind}>
    <RetentionPage />
  </Opened>
)
