import { useQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import { place, type Where } from "../api/queries.ts"
import { dayMillis } from "../../domain/Durations.ts"
import { useProject } from "../shell/Project.tsx"
import { numberText } from "../text/Numbers.ts"
import { bucketText } from "../text/Times.ts"
import { useSeen } from "../ui/useSeen.ts"
import type { AnyExperiment } from "../api/Started.ts"
import { statusWords } from "./ExperimentWords.ts"
import { outcomeOf, outcomeWords } from "./Outcome.ts"
import "../theme/listTable.css"

/** Milliseconds for which a verdict in the list is not asked for again: results change slowly. */
const freshFor = 60_000

interface Props {
  readonly where: Where
  readonly experiment: AnyExperiment
  /** Players who have been enrolled; undefined while nobody knows. */
  readonly players: number | undefined
  /** Epoch ms. */
  readonly now: number
}

const phaseWords = ({ status, phases, rollout }: AnyExperiment): string => {
  if (status === "scheduled" || status === "draft") return `starts with ${rollout.percent} %`
  const last = phases.at(-1)
  return last === undefined ? "–" : `${phases.length} · ${last.percent} %`
}

const daysWords = ({ status, endsAt }: AnyExperiment, now: number): string => {
  if (status === "completed" || status === "terminated") return "over"
  if (status === "draft") return "–"
  if (endsAt === null) return "no end"
  const days = Math.ceil((Date.parse(endsAt) - now) / dayMillis)
  return days === 1 ? "1 day" : `${numberText(days)} days`
}

/** An experiment in the list; its verdict is asked for when the row is on the screen. */
export const ExperimentRow = ({ where, experiment, players, now }: Props) => {
  const { applicationId, environment, timezone } = useProject()
  const [box, isSeen] = useSeen<HTMLTableRowElement>()
  const { id, name, hypothesis, status, startsAt, createdBy, degraded, exclusionLayer } = experiment
  const hasBegun = status !== "scheduled" && status !== "draft"
  const results = useQuery({
    queryKey: ["experiment verdict", where, id],
    enabled: isSeen && hasBegun,
    staleTime: freshFor,
    // A server that is busy with other questions answers a moment later.
    retry: 2,
    queryFn: ({ signal }) =>
      call("experiments.results", {
        ...place(where),
        path: { applicationId: where.applicationId, experimentId: id },
        signal
      }).then(outcomeOf)
  })
  const verdict = results.data
  return (
    <tr ref={box}>
      <th scope="row" className="experiment-row-name">
        <Link href={`/p/${applicationId}/${environment.alias}/experiments/${id}`}>{name}</Link>
        {hypothesis !== null && <small className="faint">{hypothesis}</small>}
      </th>
      <td data-name="Status">
        <div>
          <span className={`status status-${status}`}>{statusWords[status]}</span>
          {degraded && (
            <>
              <span className="tag tag-warning">degraded</span>
              <small className="experiment-row-why">
                A group changes a value that its configuration no longer has.
              </small>
            </>
          )}
        </div>
      </td>
      <td data-name="Phase">
        <div>{phaseWords(experiment)}</div>
      </td>
      <td data-name="Start">
        <div>
          {startsAt === null ? <span className="faint">when started</span> : bucketText(startsAt, "day", timezone)}
        </div>
      </td>
      <td className="number" data-name="To go">
        <div>{daysWords(experiment, now)}</div>
      </td>
      <td className="number" data-name="Players">
        <div>{status === "draft" ? "–" : numberText(players)}</div>
      </td>
      <td data-name="Verdict">
        <div>
          {!hasBegun ? (
            <span className="faint">not started</span>
          ) : verdict !== undefined ? (
            <span className={`verdict verdict-${verdict}`}>{outcomeWords[verdict]}</span>
          ) : results.error === null ? (
            <span className="faint">…</span>
          ) : (
            <>
              <span className="faint">not known</span>
              <small className="experiment-row-why">{results.error.message}</small>
            </>
          )}
        </div>
      </td>
      <td data-name="Layer">
        <div>{exclusionLayer === null ? <span className="faint">none</span> : exclusionLayer}</div>
      </td>
      <td className="faint" data-name="Owner">
        <div>{createdBy?.email ?? "not known"}</div>
      </td>
    </tr>
  )
}
