import { isOffline } from "../api/Failure.ts"
import { lazy, Suspense, useCallback, useMemo, useState } from "react"
import { useArguments, useFunnel, useMarkerTypes, useProperties } from "../api/queries.ts"
import { useNewData } from "../charts/useNewData.ts"
import { markerChoices } from "../builder/FieldChoices.ts"
import { OnlyWhere } from "../builder/OnlyWhere.tsx"
import { endsNow } from "../builder/Period.ts"
import { PeriodPicker } from "../builder/PeriodPicker.tsx"
import { Opened } from "../saved/Opened.tsx"
import { SaveButton, SavedName } from "../saved/SaveControls.tsx"
import { useQuestionState } from "../saved/useQuestionState.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { NothingYet } from "../shell/NothingYet.tsx"
import { countText } from "../text/Numbers.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { NewData } from "../ui/NewData.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { stepFor } from "../builder/Period.ts"
import { FunnelBars } from "./FunnelBars.tsx"
import { funnelKind } from "./FunnelKind.ts"
import type { FunnelQuestion } from "./FunnelQuestion.ts"
import { funnelBody, funnelWords } from "./FunnelQuestion.ts"
import { FunnelOverTime } from "./FunnelOverTime.tsx"
import { NextMarkers } from "./NextMarkers.tsx"
import { StepList } from "./StepList.tsx"
import "../theme/funnels.css"

/** The players behind the bars are loaded when somebody asks for them. */
const Who = lazy(() => import("../who/Who.tsx").then((sheet) => ({ default: sheet.Who })))

interface Chosen {
  /** Counted from 0. */
  readonly step: number
  readonly outcome: "converted" | "dropped"
}

const windows: ReadonlyArray<readonly [string, string]> = [
  ["1", "1 d"],
  ["7", "7 d"],
  ["14", "14 d"],
  ["30", "30 d"]
]

const displays = [
  ["steps", "Steps"],
  ["time", "Over time"]
] as const

const FunnelPage = () => {
  const { timezone } = useProject()
  const where = useWhere()
  const { state: question, change, ...opened } = useQuestionState(funnelKind)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const types = useMarkerTypes(where)
  const args = useArguments(where)
  const properties = useProperties(where)
  const body = useMemo(() => funnelBody(question, timezone), [question, timezone])
  const funnel = useFunnel(where, body)
  const set = useCallback((part: Partial<FunnelQuestion>) => change((state) => ({ ...state, ...part })), [change])
  const onPeriod = useCallback((period: FunnelQuestion["period"]) => set({ period }), [set])
  const answer = funnel.data?.series[0]
  const steps = answer?.steps
  const sentence = funnelWords(question)
  const { hasNew, pointer } = useNewData(where, {
    isAboutNow: endsNow(question.period),
    types: question.steps,
    answeredAt: funnel.dataUpdatedAt,
    refetch: funnel.refetch
  })
  const titleOf = ({ step, outcome }: Chosen): string => {
    const reached = steps?.[step]?.count ?? 0
    const count = outcome === "converted" ? reached : (steps?.[step - 1]?.count ?? 0) - reached
    return `${countText(count, "player")} ${outcome === "converted" ? "reached" : "left before"} ${question.steps[step] ?? ""}`
  }

  if (types.error !== null && types.data === undefined) {
    return <Failed error={types.error} retry={() => void types.refetch()} />
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
        </div>
      </header>
      <section className="builder" aria-label="Question">
        <fieldset>
          <legend>Steps, in this order</legend>
          <StepList
            steps={question.steps}
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
      </section>
      <section className="card" aria-label="Answer" aria-busy={funnel.isFetching} {...pointer}>
        <div className="toolbar">
          <PeriodPicker period={question.period} onChange={onPeriod} />
          <span className="toolbar-end">
            <Segmented
              label="Shown as"
              value={question.isOverTime ? "time" : "steps"}
              choices={displays}
              onChoose={(display) => set({ isOverTime: display === "time" })}
            />
          </span>
        </div>
        {body === null ? (
          <Empty title="Choose at least two steps">
            A funnel shows how many players go from one step to the next, and where they are lost.
          </Empty>
        ) : funnel.error !== null && (funnel.data === undefined || !isOffline(funnel.error)) ? (
          <Failed error={funnel.error} retry={() => void funnel.refetch()} />
        ) : steps === undefined ? (
          <Skeleton height={360} />
        ) : steps[0]?.count === 0 ? (
          <Empty title={`Nobody did ${question.steps[0] ?? ""} in this time`}>
            {funnel.data?.meta.warnings?.at(0)?.message ?? "Try a longer period or fewer filters."}
          </Empty>
        ) : answer === undefined ? null : question.isOverTime && answer.overTime !== undefined ? (
          <FunnelOverTime
            label={`${sentence}: share of players who pass all steps`}
            points={answer.overTime}
            step={stepFor(question.period)}
            timezone={timezone}
          />
        ) : (
          <FunnelBars
            label={sentence}
            steps={steps}
            onWho={(step, outcome) => {
              // The bars of the question before stay until the answer is there; their players are not asked for.
              if (!funnel.isPlaceholderData) setChosen({ step, outcome })
            }}
          />
        )}
      </section>
      {chosen !== null && body !== null && (
        <Suspense>
          <Who
            where={where}
            number={{ queryType: "funnel", spec: body, select: chosen }}
            title={titleOf(chosen)}
            valueName={null}
            timezone={timezone}
            onClose={() => setChosen(null)}
          >
            <NextMarkers where={where} body={{ ...body, ...chosen }} />
          </Who>
        </Suspense>
      )}
    </div>
  )
}

/** The page, with a saved question where the address names one. */
export const Funnels = () => (
  <Opened kind={funnelKind}>
    <FunnelPage />
  </Opened>
)
