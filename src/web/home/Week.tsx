import { useQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import { dayMillis, minuteMillis } from "../../domain/Durations.ts"
import { startedOf } from "../api/Started.ts"
import { call } from "../api/client.ts"
import { ApiFailure } from "../api/Failure.ts"
import { noteName, notePage } from "../notes/NotePage.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { bucketName } from "../text/Times.ts"
import { Moment } from "../ui/Moment.tsx"
import { countText } from "../text/Numbers.ts"
import { Skeleton } from "../ui/States.tsx"

const Refused = ({ error, what }: { readonly error: Error; readonly what: string }) => (
  <p className="faint">
    {error instanceof ApiFailure && error.statusCode === 403
      ? `Your role may not see ${what}. An owner or admin can change it.`
      : error.message}
  </p>
)

/** Experiments that are running now. */
export const Running = () => {
  const { environment, timezone } = useProject()
  const { applicationId, environmentId } = useWhere()
  const { data, error } = useQuery({
    queryKey: ["experiments", applicationId, environmentId, "active"],
    queryFn: ({ signal }) =>
      call("experiments.list", {
        path: { applicationId },
        environment: environmentId,
        query: { status: "active" },
        signal
      })
  })
  return (
    <section className="card" aria-label="Running experiments">
      <h2>Running experiments</h2>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={96} />
        ) : (
          <Refused error={error} what="experiments" />
        )
      ) : data.length === 0 ? (
        <p className="faint">None runs at the moment.</p>
      ) : (
        <ul className="home-list">
          {startedOf(data).map(({ id, name, groups, rollout, startsAt, endsAt, degraded }) => (
            <li key={id}>
              <Link href={`/p/${applicationId}/${environment.alias}/experiments/${id}`}>{name}</Link>{" "}
              {degraded && <span className="tag tag-warning">a part of its base is missing</span>}
              <small className="faint">
                {countText(groups.length, "group")} · {rollout.percent} % of players · since{" "}
                {bucketName(startsAt, "day", timezone)}
                {endsAt === null ? "" : ` · until ${bucketName(endsAt, "day", timezone)}`}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const mostChanges = 8

/** What changed the game in the last seven days. */
export const Changes = () => {
  const { environment } = useProject()
  const { applicationId, environmentId } = useWhere()
  const { data, error } = useQuery({
    queryKey: ["changes", applicationId, environmentId, "week"],
    refetchInterval: minuteMillis,
    queryFn: ({ signal }) => {
      const now = Date.now()
      return call("notes.list", {
        path: { applicationId },
        environment: environmentId,
        query: {
          from: new Date(now - 7 * dayMillis).toISOString(),
          to: new Date(now + minuteMillis).toISOString(),
          limit: mostChanges
        },
        signal
      })
    }
  })
  return (
    <section className="card" aria-label="Changes of the week">
      <h2>Changes of the week</h2>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={96} />
        ) : (
          <Refused error={error} what="changes" />
        )
      ) : data.items.length === 0 ? (
        <p className="faint">
          In the last 7 days nobody changed a configuration or an experiment, and no new version of the game came.
        </p>
      ) : (
        <ul className="home-list">
          {data.items.map((note) => (
            <li key={`${note.kind} ${note.id} ${note.name} ${note.at} ${note.text}`}>
              <Link href={`/p/${applicationId}/${environment.alias}/${notePage(note)}`}>{noteName(note)}</Link>{" "}
              {note.text}
              <small className="faint">
                <Moment at={note.at} as="weekday" />
                {note.by === null ? "" : ` · ${note.by.email}`}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
