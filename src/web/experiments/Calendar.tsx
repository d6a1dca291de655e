import { useState } from "react"
import { Link } from "wouter"
import { useProject } from "../shell/Project.tsx"
import { countText } from "../text/Numbers.ts"
import { bucketText } from "../text/Times.ts"
import { Icon } from "../ui/Icon.tsx"
import { pathWords, statusWords } from "./ExperimentWords.ts"
import type { Lane, Segment } from "./Lanes.ts"
import { byLayer, ticksIn } from "./Lanes.ts"
import "../theme/experiments.css"

interface Window {
  readonly from: number
  readonly to: number
}

interface Props {
  readonly lanes: ReadonlyArray<Lane>
  readonly window: Window
  /** Epoch ms. */
  readonly now: number
}

/** Lanes that are drawn at once: more would keep who types into the search or a plan waiting. */
const lanesAtOnce = 50

const placeIn = ({ from, to }: Window, at: number): number =>
  Math.max(0, Math.min(100, ((at - from) / (to - from)) * 100))

const dayOf = (at: number, timezone: string): string => bucketText(new Date(at).toISOString(), "day", timezone)

const Bar = ({ segment, window }: { readonly segment: Segment; readonly window: Window }) => {
  const [left, right] = [placeIn(window, segment.from), placeIn(window, segment.to)]
  if (right <= left) return null
  return (
    <svg
      className={segment.isPlanned ? "lane-planned" : "lane-past"}
      x={`${left}%`}
      width={`${right - left}%`}
      y="4"
      height="24"
    >
      <rect x="0.5" y="0.5" width="100%" height="23" rx="4" />
      <text x="8" y="16">
        {segment.percent} %
      </text>
    </svg>
  )
}

const stateWords = ({ id, status, startsAt, endsAt }: Lane, now: number, timezone: string): string => {
  const start = dayOf(startsAt, timezone)
  const end = endsAt === null ? "no end planned" : `${endsAt <= now ? "ended" : "ends"} ${dayOf(endsAt, timezone)}`
  const word = id === null ? "Not made yet" : statusWords[status]
  return `${word} · ${startsAt > now ? "starts" : "since"} ${start} · ${end}`
}

const Row = ({ lane, window, now }: { readonly lane: Lane; readonly window: Window; readonly now: number }) => {
  const { applicationId, environment, timezone } = useProject()
  const { id, name, status, segments, startsAt, endsAt, paths, collisions } = lane
  const isBefore = endsAt !== null && endsAt <= window.from
  const isAfter = startsAt >= window.to
  const today = placeIn(window, now)
  return (
    <li className={`lane lane-${status}`}>
      <div className="lane-name">
        {id === null ? (
          <b>{name}</b>
        ) : (
          <Link href={`/p/${applicationId}/${environment.alias}/experiments/${id}`}>{name}</Link>
        )}
        <small className="faint">{stateWords(lane, now, timezone)}</small>
        {paths.length > 0 && status !== "completed" && status !== "terminated" && (
          <small className="lane-locks">
            <Icon name="lock" size={12} />
            <span>{paths.map(pathWords).join(", ")}</span>
          </small>
        )}
        {collisions.map((collision) => (
          <small key={`${collision.id} ${collision.name}`} className="lane-collision">
            <Icon name="warning" size={12} />
            <span>
              {pathWords(collision.path)} is held by {collision.name} at the same time
            </span>
          </small>
        ))}
      </div>
      <div className="lane-track">
        <svg className="lane-bars" aria-hidden="true">
          {ticksIn(window).map((at) => (
            <line
              key={at}
              className="lane-tick"
              x1={`${placeIn(window, at)}%`}
              x2={`${placeIn(window, at)}%`}
              y1="0"
              y2="100%"
            />
          ))}
          {segments.map((segment) => (
            <Bar key={`${segment.from} ${segment.isPlanned}`} segment={segment} window={window} />
          ))}
          {today > 0 && today < 100 && (
            <line className="lane-today" x1={`${today}%`} x2={`${today}%`} y1="0" y2="100%" />
          )}
        </svg>
        {isBefore && <small className="lane-beside">‹ before this time</small>}
        {isAfter && <small className="lane-beside lane-later">after this time ›</small>}
      </div>
    </li>
  )
}

/** How many of the players of a layer one of its running experiments gets. */
const layerWords = (lanes: ReadonlyArray<Lane>): string => {
  const running = lanes.filter(({ status }) => status === "active" || status === "paused").length
  return running > 1
    ? `${running} run now; each gets 1/${running} of its players`
    : "a player is in one of them at most"
}

/** Experiments over time: a lane for each, a segment for each phase, in the groups of their layers. The first of many are drawn first. */
export const Calendar = ({ lanes, window, now }: Props) => {
  const { timezone } = useProject()
  const [most, setMost] = useState(lanesAtOnce)
  const drawn = new Set(lanes.slice(0, most))
  const layers = byLayer(lanes).filter(([, own]) => own.some((lane) => drawn.has(lane)))
  const today = placeIn(window, now)
  return (
    <div className="calendar">
      <div className="lane-axis" aria-hidden="true">
        <svg>
          {ticksIn(window).map((at, index) => (
            <text key={at} x={`${placeIn(window, at)}%`} y="12" className={index % 2 === 0 ? "" : "lane-minor"}>
              {dayOf(at, timezone)}
            </text>
          ))}
          {today > 0 && today < 100 && (
            <text className="lane-now" x={`${today}%`} y="28" textAnchor={today > 90 ? "end" : "middle"}>
              today
            </text>
          )}
        </svg>
      </div>
      {layers.map(([layer, own]) => (
        <section key={layer ?? ""} aria-label={layer === null ? "Without a layer" : `Layer ${layer}`}>
          {layer !== null && (
            <h3>
              Layer {layer} <small className="faint">{layerWords(own)}</small>
            </h3>
          )}
          {layer === null && own.length < lanes.length && <h3>Without a layer</h3>}
          <ul className="lanes">
            {own
              .filter((lane) => drawn.has(lane))
              .map((lane) => (
                <Row key={lane.id ?? "draft"} lane={lane} window={window} now={now} />
              ))}
          </ul>
        </section>
      ))}
      {lanes.length > most && (
        <button type="button" className="button more" onClick={() => setMost(most + lanesAtOnce)}>
          Show more ({countText(lanes.length - most, "experiment")} left)
        </button>
      )}
    </div>
  )
}
