import { useMemo, useState } from "react"
import type { Conversions, Deeplink } from "../api/deeplinks.ts"
import { useConversions } from "../api/deeplinks.ts"
import { PeriodPicker } from "../builder/PeriodPicker.tsx"
import { periodWords, stepFor } from "../builder/Period.ts"
import { NotedChart } from "../notes/NotedChart.tsx"
import { NotesToggle } from "../notes/NotesToggle.tsx"
import { useProject, useWhere } from "../shell/Project.tsx"
import { useToday } from "../shell/useToday.ts"
import { numberText, percentText } from "../text/Numbers.ts"
import type { Step } from "../text/Times.ts"
import { Segmented } from "../ui/Segmented.tsx"
import { ShowMore } from "../ui/Pages.tsx"
import { Empty, Failed, Skeleton } from "../ui/States.tsx"
import { useUrlState } from "../url/useUrlState.ts"
import { Converted, Origins } from "./DeeplinkTables.tsx"
import { areOver, resultsCodec, timeOfResults } from "./ResultsState.ts"
import { plainSeries } from "../charts/DrawnSeries.ts"

const breakdowns = [
  ["source", "Source"],
  ["country", "Country"],
  ["device", "Device"]
] as const

const unknown: Record<(typeof breakdowns)[number][0], string> = {
  source: "No source told",
  country: "Not known",
  device: "Not known"
}

const Totals = ({ totals }: Pick<Conversions, "totals">) => {
  const shown = [
    ["Clicks", numberText(totals.clicks)],
    ["People who clicked", numberText(totals.uniqueClicks)],
    ["Conversions", numberText(totals.conversions)],
    ["Rate", totals.clicks === 0 ? "–" : percentText(totals.conversionRate)],
    ["New players", numberText(totals.newUsers)],
    ["Revenue", numberText(totals.revenue)]
  ] as const
  return (
    <dl className="link-totals">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface OverTimeProps {
  readonly name: string
  readonly overTime: Conversions["overTime"]
  readonly step: Step
  /** The end of the time, which may cut the last bucket. */
  readonly to: string
}

const OverTime = ({ name, overTime, step, to }: OverTimeProps) => {
  const { timezone } = useProject()
  const buckets = useMemo(() => overTime.map(({ bucket }) => bucket), [overTime])
  const series = useMemo(
    () => [
      plainSeries(
        "clicks",
        "Clicks",
        0,
        overTime.map(({ clicks }) => clicks)
      ),
      plainSeries(
        "conversions",
        "Conversions",
        1,
        overTime.map(({ conversions }) => conversions)
      )
    ],
    [overTime]
  )
  const complete = useMemo(() => areOver(buckets, to), [buckets, to])
  return (
    <>
      <NotedChart
        label={`Clicks and conversions of ${name}`}
        kind="line"
        buckets={buckets}
        complete={complete}
        series={series}
        isStacked={false}
        step={step}
        timezone={timezone}
      />
      <p className="legend">
        <span>
          <i className="swatch series-0" /> Clicks
        </span>
        <span>
          <i className="swatch series-1" /> Conversions, by the time of their click
        </span>
      </p>
    </>
  )
}

/** What came of a link: numbers, over time, by where the clicks came from, and the players whom it brought. */
export const DeeplinkResults = ({ link }: { readonly link: Deeplink }) => {
  const { timezone } = useProject()
  const [{ period, breakdown }, change] = useUrlState(resultsCodec)
  const [onPeriod] = useState(() => (next: typeof period) => change((state) => ({ ...state, period: next })))
  const step = stepFor(period)
  const time = timeOfResults(period, timezone, useToday())
  const found = useConversions(useWhere(), link.id, { ...time, step, breakdown })
  const first = found.data?.pages[0]
  const items = found.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <section className="card" aria-label="What came of it" aria-busy={found.isFetching}>
        <div className="toolbar">
          <PeriodPicker period={period} onChange={onPeriod} />
          <span className="toolbar-end">
            <NotesToggle />
          </span>
        </div>
        {first === undefined ? (
          found.error === null ? (
            <Skeleton />
          ) : (
            <Failed error={found.error} retry={() => void found.refetch()} />
          )
        ) : first.totals.clicks === 0 && first.totals.conversions === 0 ? (
          <Empty title="Nobody has clicked it in this time">
            Whoever follows the link is counted at once: {periodWords(period)} nobody has. Programs that look at links,
            such as previews of chats, are not counted.
          </Empty>
        ) : (
          <>
            <Totals totals={first.totals} />
            <OverTime name={link.name} overTime={first.overTime} step={step} to={time.to} />
          </>
        )}
        <footer className="card-foot">
          <span>A conversion belongs to the day of its click.</span>
          <span>Times are {timezone}.</span>
        </footer>
      </section>
      {first !== undefined && first.sources.length > 0 && (
        <section className="card" aria-label="Where clicks came from">
          <div className="toolbar">
            <h2>Where clicks came from</h2>
            <span className="toolbar-end">
              <Segmented
                label="By"
                value={breakdown}
                choices={breakdowns}
                onChoose={(next) => change((state) => ({ ...state, breakdown: next }))}
              />
            </span>
          </div>
          <Origins sources={first.sources} none={unknown[breakdown]} />
        </section>
      )}
      {first !== undefined && (
        <section className="card" aria-label="Conversions">
          <h2>Players whom it brought</h2>
          {items.length === 0 ? (
            <p className="faint">
              None yet. The game sends the click’s id with its markers, as <code>gk_click</code>; the first{" "}
              {link.conversionMarker} with it is the conversion.
            </p>
          ) : (
            <Converted items={items} />
          )}
          {found.hasNextPage && (
            <div className="row">
              <ShowMore list={found} look="button-small" />
            </div>
          )}
        </section>
      )}
    </>
  )
}
