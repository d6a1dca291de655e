import { Histogram } from "../charts/Histogram.tsx"
import { SeriesName } from "../charts/SeriesName.tsx"
import { countText, durationText, numberText } from "../text/Numbers.ts"
import { Picker } from "../ui/Picker.tsx"
import type { FunnelGroup, TimeToConvert } from "./Groups.ts"
import type { Between } from "./FunnelQuestion.ts"

interface Props {
  readonly label: string
  readonly steps: ReadonlyArray<string>
  readonly between: Between
  readonly groups: ReadonlyArray<FunnelGroup>
  /** What the groups are of; null without a breakdown. */
  readonly head: string | null
  readonly onBetween: (between: Between) => void
  readonly onToggle: (key: string) => void
  readonly onIsolate: (key: string) => void
  readonly onBin: (group: FunnelGroup, bin: number) => void
}

const none: TimeToConvert = { count: 0, p25Seconds: null, medianSeconds: null, p75Seconds: null, bins: [] }

const timesOf = ({ series }: FunnelGroup): TimeToConvert => series.timeToConvert ?? none

const marksOf = ({ p25Seconds, medianSeconds, p75Seconds }: TimeToConvert) =>
  [
    [p25Seconds, "25 %"],
    [medianSeconds, "50 %"],
    [p75Seconds, "75 %"]
  ].flatMap(([value, name]) => (typeof value === "number" ? [[value, String(name)] as const] : []))

const choicesOf = (steps: ReadonlyArray<string>, first: number, last: number) =>
  steps.flatMap((name, index) =>
    index < first || index > last ? [] : [{ value: String(index), label: `${index + 1} ${name}` }]
  )

type GroupTimesProps = Pick<Props, "groups" | "onToggle" | "onIsolate"> & { readonly head: string }

const columns = ["Players", "A quarter within", "Half within", "Three quarters within"]

/** A row for each group, which is the legend too. */
const GroupTimes = ({ groups, head, onToggle, onIsolate }: GroupTimesProps) => (
  <div className="table-box" role="region" aria-label="Times" tabIndex={0}>
    <table className="table table-pinned">
      <thead>
        <tr>
          <th scope="col">{head}</th>
          {columns.map((column) => (
            <th key={column} scope="col" className="number">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => {
          const { count, p25Seconds, medianSeconds, p75Seconds } = timesOf(group)
          return (
            <tr key={group.key} className={group.isHidden ? "row-hidden" : ""}>
              <th scope="row">
                <SeriesName series={group} onToggle={onToggle} onIsolate={onIsolate} />
              </th>
              <td className="number">{numberText(count)}</td>
              <td className="number">{durationText(p25Seconds)}</td>
              <td className="number">{durationText(medianSeconds)}</td>
              <td className="number">{durationText(p75Seconds)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  </div>
)

/** How long players take from one step to another: a histogram for each group, of which a bar leads to its players. */
export const TimesToConvert = ({
  label,
  steps,
  between,
  groups,
  head,
  onBetween,
  onToggle,
  onIsolate,
  onBin
}: Props) => {
  const [from, to] = between
  const shown = groups.filter((group) => !group.isHidden && timesOf(group).count > 0)
  return (
    <>
      <div className="row between">
        <span>From</span>
        <Picker
          label="From step"
          value={String(from)}
          choices={choicesOf(steps, 0, steps.length - 2)}
          onChoose={(step) => onBetween([Number(step), Math.max(to, Number(step) + 1)])}
        />
        <span>to</span>
        <Picker
          label="To step"
          value={String(to)}
          choices={choicesOf(steps, from + 1, steps.length - 1)}
          onChoose={(step) => onBetween([from, Number(step)])}
        />
      </div>
      {shown.length === 0 && <p className="faint">Nobody reached both steps in this time.</p>}
      <div className={head === null ? "" : "histograms"}>
        {shown.map((group) => {
          const times = timesOf(group)
          const own = head === null ? "" : `${group.name}, `
          return (
            <figure key={group.key} className="times">
              <figcaption>
                {head !== null && <b>{group.name} · </b>}
                {countText(times.count, "player")}: a quarter within {durationText(times.p25Seconds)}, half within{" "}
                <b>{durationText(times.medianSeconds)}</b>, three quarters within {durationText(times.p75Seconds)}
              </figcaption>
              <Histogram
                label={`${own}${label}`}
                bins={times.bins.map((bin) => ({ from: bin.fromSeconds, to: bin.toSeconds, count: bin.count }))}
                marks={marksOf(times)}
                color={head === null ? 0 : group.color}
                textOf={durationText}
                onChoose={(bin) => onBin(group, bin)}
              />
            </figure>
          )
        })}
      </div>
      {head !== null && <GroupTimes groups={groups} head={head} onToggle={onToggle} onIsolate={onIsolate} />}
    </>
  )
}
