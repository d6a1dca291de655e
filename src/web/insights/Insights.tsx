import { useMemo } from "react"
import type { Answer } from "../api/Wire.ts"
import {
  argumentsQuery,
  insightQuery,
  markerTypesQuery,
  propertiesQuery,
  queryClient,
  useArguments,
  useInsight,
  useMarkerTypes,
  useProperties
} from "../api/queries.ts"
import { markerChoices } from "../builder/FieldChoices.ts"
import { stepFor } from "../builder/Period.ts"
import { PeriodPicker } from "../builder/PeriodPicker.tsx"
import type { Arrival } from "../shell/PageChunks.ts"
import { NothingYet } from "../shell/NothingYet.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { csvOf } from "../text/Csv.ts"
import { download } from "../text/Download.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { insightBody, questionWords } from "./Ask.ts"
import { InsightAnswer } from "./InsightAnswer.tsx"
import type { Question } from "./Question.ts"
import { questionCodec } from "./Question.ts"
import { QuestionForm } from "./QuestionForm.tsx"
import { shownSeries } from "./Series.ts"

const displays = [
  ["line", "Line"],
  ["bars", "Bars"],
  ["number", "Number"],
  ["table", "Table"]
] as const

const steps = [
  ["hour", "Hour"],
  ["day", "Day"],
  ["week", "Week"],
  ["month", "Month"]
] as const

const exportCsv = (answer: Answer<"queries.insights">, question: Question) => {
  const series = shownSeries(answer, question, new Map())
  const head = ["begins", ...series.map(({ name }) => name)]
  const rows = answer.buckets.map((bucket, index) => [bucket, ...series.map(({ values }) => values[index] ?? null)])
  download("insight.csv", "text/csv", csvOf([head, ...rows]))
}

/** Where nothing is chosen, the most frequent marker is asked about. */
const withFirstMarker = (question: Question, marker: string | undefined): Question =>
  question.metrics.length > 0 || marker === undefined
    ? question
    : { ...question, metrics: [{ marker, measure: "uniqueUsers", argument: "" }] }

/** Asks what the page will ask: its question, or the one about the most frequent marker, and what the form offers. */
export const begin = async ({ where, timezone, parameters }: Arrival): Promise<void> => {
  void queryClient.prefetchQuery(argumentsQuery(where))
  void queryClient.prefetchQuery(propertiesQuery(where))
  const stated = questionCodec.read(parameters)
  const types = stated.metrics.length > 0 ? [] : await queryClient.fetchQuery(markerTypesQuery(where)).catch(() => [])
  const question = withFirstMarker(stated, markerChoices(types)[0]?.value)
  const body = insightBody(question, timezone)
  if (body !== null) await queryClient.prefetchQuery(insightQuery(where, body, question))
}

export const Insights = () => {
  const project = useProject()
  const where = useWhere()
  const [stated, change] = useUrlState(questionCodec)
  const types = useMarkerTypes(where)
  const args = useArguments(where)
  const properties = useProperties(where)
  const first = types.data === undefined ? undefined : markerChoices(types.data)[0]?.value
  const question = useMemo(() => withFirstMarker(stated, first), [first, stated])
  const body = useMemo(() => insightBody(question, project.timezone), [project.timezone, question])
  const insight = useInsight(where, body, question)
  const asked = insight.data?.asked ?? question
  const answer = insight.data?.answer
  const sentence = questionWords(question)
  const set = (part: Partial<Question>, options?: { readonly replace: boolean }) =>
    change((state) => ({ ...withFirstMarker(state, first), ...part }), options)

  if (types.error !== null && types.data === undefined) {
    return <Failed error={types.error} retry={() => void types.refetch()} />
  }
  if (types.data?.length === 0) return <NothingYet title="Insights" />
  return (
    <div className="page page-split">
      <header className="page-head">
        <div>
          <h1>Insights</h1>
          <p>{question.metrics.length === 0 ? " " : sentence}</p>
        </div>
        <div className="row">
          <CopyButton text={window.location.href} label="Share" />
          <button
            type="button"
            className="button button-small"
            disabled={answer === undefined}
            onClick={() => answer !== undefined && exportCsv(answer, asked)}
          >
            <Icon name="down" size={14} />
            CSV
          </button>
        </div>
      </header>
      <section className="builder" aria-label="Question">
        <QuestionForm
          where={where}
          question={question}
          types={types.data ?? []}
          args={args.data ?? []}
          properties={properties.data ?? []}
          onChange={set}
        />
      </section>
      <section className="card" aria-label="Answer" aria-busy={insight.isFetching}>
        <div className="toolbar">
          <PeriodPicker period={question.period} onChange={(period) => set({ period, step: null })} />
          <span className="toolbar-end">
            <Segmented
              label="Width of a step"
              value={question.step ?? stepFor(question.period)}
              choices={steps}
              onChoose={(step) => set({ step: step === stepFor(question.period) ? null : step })}
            />
          </span>
        </div>
        <div className="toolbar">
          <label className="check">
            <input
              type="checkbox"
              checked={question.isCompared}
              onChange={(event) => set({ isCompared: event.target.checked })}
            />
            Compare with before
          </label>
          <label className="check">
            <input
              type="checkbox"
              checked={question.isCumulative}
              onChange={(event) => set({ isCumulative: event.target.checked })}
            />
            Add up
          </label>
          <span className="toolbar-end">
            <Segmented
              label="Shown as"
              value={question.display}
              choices={displays}
              onChoose={(display) => set({ display })}
            />
          </span>
        </div>
        {insight.error !== null ? (
          <Failed error={insight.error} retry={() => void insight.refetch()} />
        ) : answer === undefined ? (
          body === null && types.data !== undefined ? (
            <Empty title="The question is not finished">Choose an argument for each metric that needs one.</Empty>
          ) : (
            <Skeleton height={420} />
          )
        ) : (
          <InsightAnswer
            answer={answer}
            question={{ ...asked, display: question.display, hidden: question.hidden }}
            sentence={questionWords(asked)}
            onHide={(hidden) => set({ hidden }, { replace: true })}
          />
        )}
      </section>
    </div>
  )
}
