import { isOffline } from "../api/Failure.ts"
import { useCallback, useMemo, useState } from "react"
import { markerTypesQuery, queryClient, useArguments, useMarkerTypes, useProperties } from "../api/queries.ts"
import { insightKey, insightQuery, useInsight } from "../api/questions.ts"
import { savedQueryQuery } from "../api/savedQueries.ts"
import { Given } from "../background/Given.tsx"
import { StillWorking } from "../background/StillWorking.tsx"
import { markerChoices } from "../builder/FieldChoices.ts"
import { endsNow } from "../builder/Period.ts"
import { useNewData } from "../charts/useNewData.ts"
import { ExportMenu } from "../export/ExportMenu.tsx"
import { Opened } from "../saved/Opened.tsx"
import { SaveButton, SavedName } from "../saved/SaveControls.tsx"
import { useQuestionState } from "../saved/useQuestionState.ts"
import type { Arrival } from "../shell/PageChunks.ts"
import { FailedPage } from "../shell/UnansweredPage.tsx"
import { NothingYet } from "../shell/NothingYet.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { useToday } from "../shell/useToday.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { NewData } from "../ui/NewData.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { insightBody, isDrawn, questionWords } from "./Ask.ts"
import { AnswerControls } from "./AnswerControls.tsx"
import { Behind } from "./Behind.tsx"
import { InsightAnswer } from "./InsightAnswer.tsx"
import type { Chosen } from "./Point.ts"
import { insightKind } from "./InsightKind.ts"
import type { InsightDraft } from "./Question.ts"
import { appearanceOf, freshMetric, questionCodec } from "./Question.ts"
import { QuestionForm } from "./QuestionForm.tsx"

/** Where nothing is chosen, the most frequent marker is asked about. */
const withFirstMarker = (question: InsightDraft, marker: string | undefined): InsightDraft =>
  question.metrics.length > 0 || marker === undefined
    ? question
    : { ...question, metrics: [freshMetric(marker, "uniqueUsers")] }

/** Asks the question of the page, or the one about the most frequent marker. What its form offers is asked when the form is drawn. */
export const begin = async ({ where, timezone, parameters }: Arrival): Promise<void> => {
  const queryId = parameters.get("q")
  parameters.delete("q")
  if (queryId !== null) void queryClient.prefetchQuery(savedQueryQuery(where.applicationId, queryId))
  if (queryId !== null && parameters.size === 0) return
  const stated = questionCodec.read(parameters)
  const types = stated.metrics.length > 0 ? [] : await queryClient.fetchQuery(markerTypesQuery(where)).catch(() => [])
  const question = withFirstMarker(stated, markerChoices(types)[0]?.value)
  const body = insightBody(question, timezone)
  if (body !== null) await queryClient.prefetchQuery(insightQuery(where, body, question))
}

const InsightPage = () => {
  const project = useProject()
  const where = useWhere()
  const { state: stated, change, ...opened } = useQuestionState(insightKind)
  const types = useMarkerTypes(where)
  const args = useArguments(where)
  const properties = useProperties(where)
  const first = types.data === undefined ? undefined : markerChoices(types.data)[0]?.value
  const question = useMemo(() => withFirstMarker(stated, first), [first, stated])
  const day = useToday()
  const body = useMemo(() => insightBody(question, project.timezone, day), [day, project.timezone, question])
  const insight = useInsight(where, body, question)
  const asked = insight.data?.asked ?? question
  const answer = insight.data?.answer
  const sentence = questionWords(question)
  const { hasNew, pointer } = useNewData(where, {
    day,
    isAboutNow: endsNow(asked.period, day),
    types: asked.metrics.map(({ marker }) => marker),
    answeredAt: insight.dataUpdatedAt,
    refetch: insight.refetch
  })
  const [colors] = useState(() => new Map<string, number>())
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const set = useCallback(
    (part: Partial<InsightDraft>, options?: { readonly replace: boolean }) =>
      change((state) => ({ ...withFirstMarker(state, first), ...part }), options),
    [change, first]
  )

  if (types.error !== null && types.data === undefined) {
    return <FailedPage error={types.error} retry={() => void types.refetch()} />
  }
  if (types.data?.length === 0) return <NothingYet title="Insights" />
  return (
    <div className="page page-split">
      <header className="page-head">
        <div>
          <h1>Insights</h1>
          <p>{question.metrics.length === 0 ? " " : sentence}</p>
          <SavedName opened={opened} />
        </div>
        <div className="row">
          <NewData isThere={hasNew} onRefresh={() => void insight.refetch()} />
          <SaveButton kind={insightKind} question={question} opened={opened} />
          <CopyButton text={window.location.href} label="Share" />
          {answer !== undefined && body !== null && (
            <ExportMenu
              isDrawn={isDrawn(asked)}
              onExport={async (kind) => {
                const { exportAnswer } = await import("./ExportAnswer.ts")
                return exportAnswer(kind, {
                  answer,
                  question: { ...asked, ...appearanceOf(question) },
                  colors,
                  body,
                  where
                })
              }}
            />
          )}
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
      <section className="card" aria-label="Answer" aria-busy={insight.isFetching} {...pointer}>
        <AnswerControls question={question} onChange={set} />
        <StillWorking
          kind={insightKind}
          question={question}
          queryKey={insightKey(where, body)}
          isFetching={insight.isFetching}
        />
        {insight.error !== null && (answer === undefined || !isOffline(insight.error)) ? (
          <Failed error={insight.error} retry={() => void insight.refetch()} />
        ) : answer === undefined ? (
          body === null && types.data !== undefined ? (
            <Empty title="The question is not finished">Choose an argument for each metric that needs one.</Empty>
          ) : insight.fetchStatus === "idle" && body !== null ? (
            <Given onAsk={() => void insight.refetch()} />
          ) : (
            <Skeleton height={420} />
          )
        ) : (
          <InsightAnswer
            answer={answer}
            question={{ ...asked, ...appearanceOf(question) }}
            colors={colors}
            sentence={questionWords(asked)}
            onHide={(hidden) => set({ hidden }, { replace: true })}
            onChoose={(next) => {
              // The numbers of the question before stay until the answer is there; nobody is behind them any more.
              if (!insight.isPlaceholderData) setChosen(next)
            }}
          />
        )}
      </section>
      {answer !== undefined && body !== null && (
        <Behind
          where={where}
          answer={answer}
          question={question}
          body={body}
          chosen={chosen}
          onChange={set}
          onClose={() => setChosen(null)}
        />
      )}
    </div>
  )
}

/** The page of insights, with a saved question where the address names one. */
export const Insights = () => (
  <Opened kind={insightKind}>
    <InsightPage />
  </Opened>
)
