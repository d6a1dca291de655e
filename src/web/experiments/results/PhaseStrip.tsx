import { useProject } from "../../shell/Project.tsx"
import { bucketName, bucketText } from "../../text/Times.ts"
import type { Experiment } from "../ExperimentWords.ts"
import { isOpen, percentWords, unitsWord } from "../ExperimentWords.ts"

type Phase = Experiment["phases"][number]

const sharesText = ({ weights }: Phase): string => weights.map((weight) => weight / 100).join(" / ")

/** What a phase is called: its share of the players, and where phases differ by them, the weights. */
const phaseName = (experiment: Experiment, phase: Phase, index: number): string => {
  const { phases } = experiment
  const before = phases[index - 1]
  const split = before !== undefined && sharesText(before) !== sharesText(phase) ? ` · split ${sharesText(phase)}` : ""
  return `Phase ${index + 1} · ${percentWords(phase.percent, unitsWord(experiment))}${split}`
}

/** Where an experiment ended, or where it is planned to; null where neither is known. */
const endOf = ({ endsAt, terminatedAt }: Experiment): string | null => terminatedAt ?? endsAt

const style = (name: string, share: number) => (element: HTMLElement | null) => {
  element?.style.setProperty(name, `${Math.max(0, Math.min(100, share * 100))}%`)
}

/** The time of an experiment: its phases, its end and today. */
export const PhaseStrip = ({ experiment, asOf }: { readonly experiment: Experiment; readonly asOf: string }) => {
  const { timezone } = useProject()
  const { startsAt, phases } = experiment
  const end = endOf(experiment)
  const now = Date.parse(asOf)
  const from = Math.min(Date.parse(startsAt), ...phases.map((phase) => Date.parse(phase.from)))
  const to = Math.max(from + 1, end === null ? now : Date.parse(end))
  const at = (instant: number) => (instant - from) / (to - from)
  const isOver = !isOpen(experiment)
  return (
    <div className="phases">
      <ol className="phase-strip" aria-label="Phases">
        {phases.map((phase, index) => {
          const next = phases[index + 1]
          const begins = at(Date.parse(phase.from))
          const ends = next === undefined ? 1 : at(Date.parse(next.from))
          return (
            <li
              key={phase.from}
              ref={(element) => {
                style("--from", begins)(element)
                style("--to", ends)(element)
              }}
              title={`${phaseName(experiment, phase, index)}, from ${bucketName(phase.from, "day", timezone)}`}
            >
              <span>{phaseName(experiment, phase, index)}</span>
            </li>
          )
        })}
        {!isOver && end !== null && now >= from && (
          <li className={at(now) > 0.5 ? "phase-today phase-today-late" : "phase-today"} ref={style("--from", at(now))}>
            <span>today</span>
          </li>
        )}
      </ol>
      <p className="phase-ends">
        <span>{bucketText(startsAt, "day", timezone)}</span>
        <span>
          {isOver && end !== null
            ? `ended ${bucketText(end, "day", timezone)}`
            : end === null
              ? "today, no end is planned"
              : bucketText(end, "day", timezone)}
        </span>
      </p>
    </div>
  )
}
