import { useWhere } from "../shell/Project.tsx"
import { ListTable } from "../ui/ListTable.tsx"
import { Moment } from "../ui/Moment.tsx"
import { ShowMore } from "../ui/Pages.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import { useIncidents } from "./AlertQueries.ts"

interface Props {
  readonly alertId: string
  /** Something that changes when an incident begins, ends or is looked after. */
  readonly state: string
}

/** What an alert has found, newest first. */
export const Incidents = ({ alertId, state }: Props) => {
  const incidents = useIncidents(useWhere(), alertId, state)
  const rows = incidents.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section className="card" aria-label="Incidents" aria-busy={incidents.isFetching}>
      <h2>Incidents</h2>
      {incidents.error !== null && !incidents.isFetchNextPageError ? (
        <Failed error={incidents.error} retry={() => void incidents.refetch()} />
      ) : incidents.data === undefined ? (
        <Skeleton height={96} />
      ) : rows.length === 0 ? (
        <p className="faint">None yet.</p>
      ) : (
        <ListTable
          label="List of incidents"
          rows={rows}
          keyOf={({ id }) => id}
          isOver={({ endedAt }) => endedAt !== null}
          columns={[
            {
              name: "What",
              kind: "head",
              render: ({ text, note }) => (
                <div className="cell-lines">
                  {text}
                  {note !== null && <small className="faint">{note}</small>}
                </div>
              )
            },
            { name: "From", render: ({ startedAt }) => <Moment at={startedAt} /> },
            { name: "To", render: ({ endedAt }) => (endedAt === null ? "now" : <Moment at={endedAt} />) },
            { name: "Looked after by", render: ({ acknowledgedBy }) => acknowledgedBy?.email ?? "–" },
            { name: "Told", render: ({ told }) => (told ? "yes" : "no, it was muted") }
          ]}
        />
      )}
      <ShowMore list={incidents}>Older ones</ShowMore>
    </section>
  )
}
