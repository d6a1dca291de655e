import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../api/client.ts"
import type { Answer } from "../api/Wire.ts"
import type { Organization } from "../shell/Project.tsx"
import { useProject } from "../shell/Project.tsx"
import { countText } from "../text/Numbers.ts"
import { ListTable } from "../ui/ListTable.tsx"
import { Moment } from "../ui/Moment.tsx"
import { ShowMore } from "../ui/Pages.tsx"
import { Callout, Failed, Skeleton } from "../ui/States.tsx"
import { listTable } from "../../domain/analytics/table/ListTable.ts"
import { csvHeading, csvRows } from "../../domain/analytics/table/Csv.ts"
import type { Json } from "../../domain/configuration/Document.ts"
import { download } from "../text/Download.ts"
import { useUrlState } from "../url/useUrlState.ts"
import { AuditFilters } from "./AuditFilters.tsx"
import { auditCodec, auditQuery, isFiltered } from "./AuditQuestion.ts"
import { actorWords, operationWords } from "./AuditWords.ts"
import { SettingsPage } from "./Section.tsx"
import { useRights } from "./useRights.ts"
import "../theme/audit.css"

type Entry = Answer<"audit.list">["items"][number]

const perPage = 50

const useEntries = (organizationId: number, query: ReturnType<typeof auditQuery>, isAllowed: boolean) =>
  useInfiniteQuery({
    queryKey: ["audit", organizationId, query],
    enabled: isAllowed,
    initialPageParam: "",
    queryFn: ({ signal, pageParam }) =>
      call("audit.list", {
        path: { organizationId },
        query: { limit: perPage, ...(pageParam === "" ? {} : { cursor: pageParam }), ...query },
        signal
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined
  })

/** Entries of one file: of a longer log the days of a part are chosen. */
const mostSaved = 50_000

/** All entries that pass the filters, as a table. */
const save = async (organizationId: number, query: ReturnType<typeof auditQuery>): Promise<string> => {
  const entries: Array<Entry> = []
  let cursor: string | null = ""
  while (cursor !== null && entries.length < mostSaved) {
    const page: Answer<"audit.list"> = await call("audit.list", {
      path: { organizationId },
      query: { limit: 1000, ...(cursor === "" ? {} : { cursor }), ...query }
    })
    entries.push(...page.items)
    cursor = page.nextCursor
  }
  const items: ReadonlyArray<Json> = JSON.parse(JSON.stringify(entries))
  const { columns, rows } = listTable(items)
  download("changes.csv", "text/csv", csvHeading(columns) + csvRows(columns, [...rows]))
  const count = countText(entries.length, "entry", "entries")
  return cursor === null ? `${count} saved` : `The newest ${count} saved: choose days for those before`
}

const Changes = ({ entry }: { readonly entry: Entry }) => (
  <div className="audit-changes">
    {entry.changes.length > 0 && (
      <dl>
        {entry.changes.map(({ path, before, after }) => (
          <div key={path}>
            <dt>{path}</dt>
            <dd>
              {before !== null && <del>{before}</del>} {after !== null && <ins>{after}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    )}
    {entry.moreChanges > 0 && <p className="faint">and {countText(entry.moreChanges, "value")} more</p>}
    {entry.changes.length === 0 && <p className="faint">No value is told.</p>}
    <p className="faint">
      {entry.operation} · request {entry.requestId}
      {entry.address === null ? "" : ` · from ${entry.address}`}
    </p>
  </div>
)

/** Whether nobody has rewritten the log, as the server has checked it. */
const Chain = ({ organizationId }: { readonly organizationId: number }) => {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["audit verification", organizationId],
    enabled: false,
    queryFn: ({ signal }) => call("audit.verify", { path: { organizationId }, signal })
  })
  if (isFetching) return <p className="faint">The log is being checked …</p>
  if (error !== null) return <Callout>{error.message}</Callout>
  if (data === undefined)
    return (
      <button type="button" className="button button-small" onClick={() => void refetch()}>
        Check that nothing was rewritten
      </button>
    )
  return data.intact ? (
    <p className="faint">
      {countText(data.last - data.first + 1, "entry", "entries")}, each with the hash of the one before: nothing was
      rewritten.
    </p>
  ) : (
    <Callout>
      Entry {data.flaw?.number} is {data.flaw?.kind === "missing" ? "missing" : "not as it was written"}: somebody has
      changed the database by hand, or it was restored in part.
    </Callout>
  )
}

/** Who changed what in the organization, newest first. */
export const AuditLog = ({ organization }: { readonly organization: Organization }) => {
  const { timezone } = useProject()
  const rights = useRights(organization)
  const denied = rights.denied("audit:read")
  const [question, change] = useUrlState(auditCodec)
  const query = auditQuery(question, timezone)
  const [open, setOpen] = useState<number | null>(null)
  const [said, say] = useState("")
  const entries = useEntries(organization.id, query, denied === null)
  const rows = entries.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <SettingsPage
      title="Log of changes"
      lead={`Who changed what in ${organization.name}: keys, members, configurations, experiments and all the rest.`}
    >
      {denied !== null ? (
        <p className="faint">{denied}</p>
      ) : (
        <section className="card" aria-label="Changes" aria-busy={entries.isFetching}>
          <AuditFilters organizationId={organization.id} question={question} change={change} />
          {entries.error !== null && !entries.isFetchNextPageError ? (
            <Failed error={entries.error} retry={() => void entries.refetch()} />
          ) : entries.data === undefined ? (
            <Skeleton />
          ) : rows.length === 0 ? (
            <p className="faint">
              {isFiltered(question)
                ? "No change is like that."
                : "Nobody has changed anything since the log began. What the server itself sets up, such as a demo, is not in it."}
            </p>
          ) : (
            <ListTable
              label="List of changes"
              rows={rows}
              keyOf={({ number }) => number}
              columns={[
                { name: "When", render: ({ at }) => <Moment at={at} /> },
                { name: "Who", render: ({ actor }) => actorWords(actor) },
                {
                  name: "What",
                  kind: "head",
                  render: (entry) => (
                    <>
                      <button
                        type="button"
                        className="link"
                        aria-expanded={open === entry.number}
                        onClick={() => setOpen(open === entry.number ? null : entry.number)}
                      >
                        {operationWords(entry)}
                      </button>
                      {entry.outcome === "unknown" && <span className="tag">outcome unknown</span>}
                      {entry.reason !== null && <small className="faint">“{entry.reason}”</small>}
                      {open === entry.number && <Changes entry={entry} />}
                    </>
                  )
                }
              ]}
            />
          )}
          <ShowMore list={entries}>Older changes</ShowMore>
          <div className="toolbar audit-end">
            {rows.length > 0 && (
              <button
                type="button"
                className="button button-small"
                onClick={() => {
                  say("The entries are being read …")
                  save(organization.id, query).then(say, (error: Error) => say(error.message))
                }}
              >
                Save as CSV
              </button>
            )}
            <span role="status">{said}</span>
            <Chain organizationId={organization.id} />
          </div>
        </section>
      )}
    </SettingsPage>
  )
}
