import { useCallback, useMemo, useState } from "react"
import { Link } from "wouter"
import { hourMillis } from "../../domain/Durations.ts"
import { isOffline } from "../api/Failure.ts"
import { useMarkerTypes } from "../api/queries.ts"
import { markerChoices } from "../builder/FieldChoices.ts"
import { endsNow } from "../builder/Period.ts"
import { PeriodPicker } from "../builder/PeriodPicker.tsx"
import { useNewData } from "../charts/useNewData.ts"
import { SaveButton, SavedName } from "../saved/SaveControls.tsx"
import { useQuestionState } from "../saved/useQuestionState.ts"
import { FailedPage } from "../shell/UnansweredPage.tsx"
import { NothingYet } from "../shell/NothingYet.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { useToday } from "../shell/useToday.ts"
import { countText, numberText } from "../text/Numbers.ts"
import { deniedText } from "../text/Denied.ts"
import { CopyButton } from "../ui/CopyButton.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { NewData } from "../ui/NewData.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import type { Asked } from "./AreaCard.tsx"
import { AreaCard } from "./AreaCard.tsx"
import { CellTable } from "./CellTable.tsx"
import { sideWords } from "./Comparison.ts"
import type { FrameStep } from "./Frames.ts"
import { framesOf, usePlay } from "./Frames.ts"
import type { Cells } from "./Grid.ts"
import { cellsIn, edgesOf, gridOf, topOf } from "./Grid.ts"
import { HeatmapForm } from "./HeatmapForm.tsx"
import { heatmapKind } from "./HeatmapKind.ts"
import { imageOf, useHeatmap, useMap, usePlacedMarker } from "./HeatmapQueries.ts"
import type { HeatmapQuestion } from "./HeatmapQuestion.ts"
import { heatmapBody, heatmapWords } from "./HeatmapQuestion.ts"
import { Legend } from "./Legend.tsx"
import { Looks } from "./Looks.tsx"
import { Picture } from "./Picture.tsx"
import { PlayBar } from "./PlayBar.tsx"
import { areAlike, differenceShown, paintedOf, shownOf } from "./Shown.ts"

const views = [
  ["flat", "Flat"],
  ["bars", "In 3-D"]
] as const

/** Hours of every zone begin with a quarter of an hour: a page that stays open is about another time once one has begun. */
const nowMillis = hourMillis / 4

/** A map with what happens where. */
export const HeatmapPage = () => {
  const { applicationId, environment, timezone, may } = useProject()
  const where = useWhere()
  const { state: stated, change, ...opened } = useQuestionState(heatmapKind)
  const types = useMarkerTypes(where)
  const map = useMap(applicationId, stated.map)
  const markers = useMemo(() => markerChoices(types.data ?? []), [types.data])
  const placed = usePlacedMarker(where, stated.marker === "")
  const first = placed.isLoading ? "" : (placed.data ?? markers[0]?.value ?? "")
  const question = useMemo(() => ({ ...stated, marker: stated.marker || first }), [first, stated])
  const { comparison } = question
  const day = useToday()
  const body = useMemo(() => heatmapBody(question, timezone, "first", day), [day, question, timezone])
  const name = comparison === null ? "" : sideWords(comparison, "first")
  const otherName = comparison === null ? "" : sideWords(comparison, "second")
  const heatmap = useHeatmap(where, body === null ? null : { name, question, body })
  const [openedAt] = useState(() => Date.now())
  const now = Math.max(openedAt, Math.floor(heatmap.dataUpdatedAt / nowMillis) * nowMillis)
  const otherBody = useMemo(
    () => (comparison === null ? null : heatmapBody(question, timezone, "second", day, now)),
    [comparison, day, now, question, timezone]
  )
  const other = useHeatmap(where, otherBody === null ? null : { name: otherName, question, body: otherBody })
  const set = useCallback(
    (part: Partial<HeatmapQuestion>, options?: { readonly replace: boolean }) =>
      change((state) => ({ ...state, ...part }), options),
    [change]
  )
  const restyle = useCallback((part: Partial<HeatmapQuestion>) => set(part, { replace: true }), [set])
  const onPeriod = useCallback((period: HeatmapQuestion["period"]) => set({ period }), [set])

  const [step, setStep] = useState<FrameStep>("day")
  const frames = useMemo(() => framesOf(question.period, step, timezone, now), [now, question.period, step, timezone])
  const play = usePlay(where, body, comparison === null ? frames : null, step)
  const frame = play.at === null ? undefined : play.answers?.[play.at]
  const frameBody = play.body
  const highest = useMemo(
    () => play.answers?.reduce((top, answer) => Math.max(top, topOf(paintedOf(question, gridOf(answer)))), 0),
    [play.answers, question]
  )

  const sides = useMemo((): ReadonlyArray<Asked> | null => {
    if (heatmap.data === undefined || body === null) return null
    // Who and what is asked of an area is asked of the step that is shown, too.
    const first =
      frame === undefined || frameBody === undefined ? heatmap.data : { name, question, body: frameBody, answer: frame }
    const asked = { ...first, grid: gridOf(first.answer) }
    if (comparison === null) return [asked]
    if (other.data === undefined || otherBody === null) return null
    const second = { ...other.data, grid: gridOf(other.data.answer) }
    // One of the two answers may still be that of the question before.
    return areAlike(asked, second) ? [asked, second] : null
  }, [body, comparison, frame, frameBody, heatmap.data, name, other.data, otherBody, question])
  const shown = useMemo(() => {
    const [one, two] = sides ?? []
    if (one === undefined) return null
    return two === undefined
      ? shownOf(question, one, frame === undefined ? undefined : highest)
      : differenceShown(question, one, two)
  }, [frame, highest, question, sides])

  const [refetch, refetchOther, isCompared] = [heatmap.refetch, other.refetch, comparison !== null]
  // Both sides: a new answer less an old one is no difference of anything.
  const retry = useCallback(
    () => void Promise.all([refetch(), ...(isCompared ? [refetchOther()] : [])]),
    [isCompared, refetch, refetchOther]
  )
  const { hasNew, pointer } = useNewData(where, {
    day,
    isAboutNow: endsNow(question.period, day),
    types: [question.marker],
    answeredAt: heatmap.dataUpdatedAt,
    refetch: retry
  })
  const error = heatmap.error ?? (comparison === null ? null : other.error)
  // What the answer on the screen was asked: another one may be on its way.
  const asked = sides?.[0]?.question ?? question
  const choose = (cells: Cells | null) => {
    if (shown !== null) set({ area: cells === null ? null : edgesOf(shown.grid, cells) }, { replace: true })
  }

  if (map.error !== null && map.data === undefined) {
    return <FailedPage error={map.error} retry={() => void map.refetch()} />
  }
  if (types.data?.length === 0) return <NothingYet title="Heatmaps" />
  const home = `/p/${applicationId}/${environment.alias}/heatmaps`
  const chosen = shown === null || question.area === null ? null : cellsIn(shown.grid, question.area)
  const statistics = sides?.[0]?.answer.statistics
  return (
    <div className="page page-split">
      <header className="page-head">
        <div>
          <h1>{map.data?.name ?? "Heatmap"}</h1>
          <p>{heatmapWords(question)}</p>
          <SavedName opened={opened} />
        </div>
        <div className="row">
          <NewData isThere={hasNew} onRefresh={retry} />
          <SaveButton kind={heatmapKind} question={question} opened={opened} />
          <CopyButton text={window.location.href} label="Share" />
          {may("queries:write") ? (
            <Link className="button button-small" href={`${home}/${question.map}/edit`}>
              Edit the map
            </Link>
          ) : (
            <DeniableButton denied={deniedText("queries:write")} look="button-small">
              Edit the map
            </DeniableButton>
          )}
          <Link className="button button-small" href={home}>
            All maps
          </Link>
        </div>
      </header>
      <HeatmapForm where={where} question={question} markers={markers} onChange={set} />
      <section className="card" aria-label="Answer" aria-busy={heatmap.isFetching || other.isFetching} {...pointer}>
        <div className="toolbar">
          <PeriodPicker period={question.period} onChange={onPeriod} />
          <span className="toolbar-end">
            <Segmented label="Shown" value={question.view} choices={views} onChoose={(view) => restyle({ view })} />
          </span>
        </div>
        {error !== null && (shown === null || !isOffline(error)) ? (
          <Failed error={error} retry={retry} />
        ) : shown === null || map.data === undefined ? (
          <Skeleton height={480} />
        ) : (
          <>
            {statistics?.totalEvents === 0 && frame === undefined && comparison === null && (
              <Empty title={`No ${asked.marker} with a position in this time`}>
                Markers need a position to be on a map. Try a longer period, other heights or fewer filters.
              </Empty>
            )}
            <Picture
              question={question}
              label={heatmapWords(asked)}
              image={imageOf(map.data)}
              grid={shown.grid}
              painted={shown.painted}
              scale={shown.scale}
              describe={shown.describe}
              chosen={chosen}
              onChoose={choose}
            />
            <div className="map-under">
              <Legend
                scale={shown.scale}
                unit={shown.painted === shown.grid ? shown.unit : `${shown.unit}, smoothed`}
                ends={sides?.length === 2 ? [sides[1]?.name ?? "", sides[0]?.name ?? ""] : null}
              />
              <Looks question={question} onChange={restyle} />
            </div>
            <PlayBar
              play={play}
              frames={frames}
              step={step}
              isCompared={comparison !== null}
              timezone={timezone}
              onStep={setStep}
            />
          </>
        )}
        {statistics !== undefined && (
          <footer className="card-foot">
            <span>
              {numberText(statistics.insideBounds)} on the map, {numberText(statistics.outsideBounds)} beside it, of{" "}
              {countText(statistics.uniqueUsers, "player")}.
            </span>
            <span>Times are {timezone}.</span>
          </footer>
        )}
      </section>
      {shown !== null && sides !== null && (
        <div className="map-parts">
          {chosen !== null && (
            <AreaCard
              where={where}
              sides={sides}
              cells={chosen}
              isMoving={play.isRunning}
              onClose={() => choose(null)}
            />
          )}
          <CellTable
            grid={shown.grid}
            unit={shown.unit}
            describe={shown.describe}
            more={comparison !== null ? "Both sides" : asked.counts === "players" ? null : "Share"}
            onChoose={choose}
          />
        </div>
      )}
    </div>
  )
}
