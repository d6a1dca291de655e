import { isOffline } from "../api/Failure.ts"
import type { ComponentProps } from "react"
import { useCallback, useMemo, useState } from "react"
import { useArguments, useMarkerTypes, useProperties } from "../api/queries.ts"
import { funnelKey, useFunnel } from "../api/questions.ts"
import { useNewData } from "../charts/useNewData.ts"
import { BreakdownPicker } from "../builder/BreakdownPicker.tsx"
import { Given } from "../background/Given.tsx"
import { StillWorking } from "../background/StillWorking.tsx"
import { markerChoices } from "../builder/FieldChoices.ts"
import { OnlyWhere } from "../builder/OnlyWhere.tsx"
import { endsNow } from "../builder/Period.ts"
import { PeriodPicker } from "../builder/PeriodPicker.tsx"
import { ExportMenu } from "../export/ExportMenu.tsx"
import { Opened } from "../saved/Opened.tsx"
import { SaveButton, SavedName } from "../saved/SaveControls.tsx"
import { useQuestionState } from "../saved/useQuestionState.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { useToday } from "../shell/useToday.ts"
import { FailedPage } from "../shell/UnansweredPage.tsx"
import { NothingYet } from "../shell/NothingYet.tsx"
import { CopyButton } from "../ui/CopyButton.tsx"
import { NewData } from "../ui/NewData.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { Behind } from "./Behind.tsx"
import { FunnelAnswer } from "./FunnelAnswer.tsx"
import { funnelKind } from "./FunnelKind.ts"
import type { FunnelQuestion } from "./FunnelQuestion.ts"
import { funnelBody, funnelWords } from "./FunnelQuestion.ts"
import { StepList } from "./StepList.tsx"
import "../theme/funnels.css"

/** A number that somebody chose, with the answer that it stands in. */
type Chosen = Pick<ComponentProps<typeof Behind>, "answer" | "body" | "select" | "title">

const windows: ReadonlyArray<readonly [string, string]> = [
  ["1", "1 d"],
  ["7", "7 d"],
  ["14", "14 d"],
  ["30", "30 d"]
]

const shapes = [
  ["steps", "Steps"],
  ["time", "Over time"],
  ["convert", "Time to convert"]
] as const

const FunnelPage = () => {
  const { timezone } = useProject()
  const where = useWhere()
  const { state: question, change, ...opened } = useQuestionState(funnelKind)
  const [colors] = useState(() => new Map<string, number>())
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const types = useMarkerTypes(where)
  const args = useArguments(where)
  const properties = useProperties(where)
  const day = useToday()
  const body = useMemo(() => funnelBody(question, timezone, day), [day, question, timezone])
  const funnel = useFunnel(where, body, question)
  const set = useCallback(
    (part: Partial<FunnelQuestion>, options?: { readonly replace: boolean }) =>
      change((state) => ({ ...state, ...part }), options),
    [change]
  )
  const onPeriod = useCallback((period: FunnelQuestion["period"]) => set({ period }), [set])
  const answer = funnel.data?.answer
  const asked = funnel.data?.asked ?? question
  const sentence = funnelWords(question)
  const { hasNew, pointer } = useNewData(where, {
    day,
    isAboutNow: endsNow(question.period, day),
    types: question.steps.map(({ marker }) => marker),
    answeredAt: funnel.dataUpdatedAt,
    refetch: funnel.refetch
  })
  if (types.error !== null && types.data === undefined) {
    return <FailedPage error={types.error} retry={() => void types.refetch()} />
  }
  if (types.data?.length === 0) return <NothingYet title="Funnels" />
  return (
    <div className="page page-split">
      <header className="page-head">
        <div>
          <h1>Funnels</h1>
          <p>{sentence}</p>
          <SavedName opened={opened} />
        </div>
        <div className="row">
          <NewData isThere={hasNew} onRefresh={() => void funnel.refetch()} />
          <SaveButton kind={funnelKind} question={question} opened={opened} />
          <CopyButton text={window.location.href} label="Share" />
          {answer !== undefined && body !== null && (
            <ExportMenu
              isDrawn
              onExport={async (kind) => {
                const { exportFunnel } = await import("./ExportFunnel.ts")
                return exportFunnel(kind, {
                  answer,
                  question: { ...asked, hidden: question.hidden },
                  colors,
                  timezone,
                  body,
                  where
                })
              }}
            />
          )}
        </div>
      </header>
      <section className="builder" aria-label="Question">
        <fieldset>
          <legend>Steps, in this order</legend>
          <StepList
            where={where}
            steps={question.steps}
            args={args.data ?? []}
            properties={properties.data ?? []}
            markers={markerChoices(types.data ?? [])}
            onChange={(next) => set({ steps: next })}
          />
        </fieldset>
        <fieldset>
          <legend>All steps within</legend>
          <Segmented
            label="All steps within"
            value={String(question.withinDays)}
            choices={windows}
            onChoose={(days) => set({ withinDays: Number(days) })}
          />
        </fieldset>
        <OnlyWhere
          where={where}
          question={question}
          args={args.data ?? []}
          properties={properties.data ?? []}
          onChange={set}
        />
        <BreakdownPicker by={question.by} args={args.data ?? []} properties={properties.data ?? []} onChange={set} />
      </section>
      <section className="card" aria-label="Answer" aria-busy={funnel.isFetching} {...pointer}>
        <div className="toolbar">
          <PeriodPicker period={question.period} onChange={onPeriod} />
          <span className="toolbar-end">
            <Segmented
              label="Shown as"
              value={question.display}
              choices={shapes}
              onChoose={(display) => set({ display })}
            />
          </span>
        </div>
        <StillWorking
          kind={funnelKind}
          question={question}
          queryKey={funnelKey(where, body)}
          isFetching={funnel.isFetching}
        />
        {body === null ? (
          <Empty title="Choose at least two steps">
            A funnel shows how many players go from one step to the next, and where they are lost.
          </Empty>
        ) : funnel.error !== null && (funnel.data === undefined || !isOffline(funnel.error)) ? (
          <Failed error={funnel.error} retry={() => void funnel.refetch()} />
        ) : answer === undefined ? (
          funnel.fetchStatus === "idle" ? (
            <Given onAsk={() => void funnel.refetch()} />
          ) : (
            <Skeleton height={360} />
          )
        ) : (
          <FunnelAnswer
            answer={answer}
            question={{ ...asked, hidden: question.hidden }}
            colors={colors}
            sentence={funnelWords(asked)}
            timezone={timezone}
            onChange={set}
            onWho={(select, title) => {
              // The bars of the question before stay until the answer is there; their players are not asked for.
              if (!funnel.isPlaceholderData && body !== null) setChosen({ answer, body, select, title })
            }}
          />
        )}
      </section>
      {chosen !== null && <Behind where={where} {...chosen} onClose={() => setChosen(null)} />}
    </div>
  )
}

/** The page, with a saved question where the address names one. */
export const Funnels = () => (
  <Opened kind={funnelKind}>
    <FunnelPage />
  </Opened>
)
