import { useInfiniteQuery, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../api/client.ts"
import type { Answer } from "../api/Wire.ts"
import type { Organization } from "../shell/Project.tsx"
import { useProject } from "../shell/Project.tsx"
import { countText } from "../text/Numbers.ts"
import { momentText } from "../text/Times.ts"
import { ListTable } from "../ui/ListTable.tsx"
import { Callout, Failed, Skeleton } from "../ui/States.tsx"
import { useMembers } from "./AccessQueries.ts"
import { actorWords, auditedKinds, operationWords } from "./AuditWords.ts"
import { SettingsPage } from "./Section.tsx"
import { useRights } from "./useRights.ts"
import "../theme/audit.css"

type Entry = Answer<"audit.list">["items"][number]

const perPage = 50

interface Chosen {
  readonly kind: string
  readonly userId: string
}

const useEntries = (organizationId: number, { kind, userId }: Chosen, isAllowed: boolean) =>
  useInfiniteQuery({
    queryKey: ["audit", organizationId, kind, userId],
    enabled: isAllowed,
    initialPageParam: "",
    queryFn: ({ signal, pageParam }) =>
      call("audit.list", {
        path: { organizationId },
        query: {
          limit: perPage,
          cursor: pageParam === "" ? undefined : pageParam,
          kind: kind === "" ? undefined : kind,
          userId: userId === "" ? undefined : userId
        },
        signal
      }),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined
  })

const Changes = ({ entry }: { readonly entry: Entry }) => (
  <dl className="audit-changes">
    {entry.changes.map(({ path, before, after }) => (
      <div key={path}>
        <dt>{path}</dt>
        <dd>
          {before !== null && <del>{before}</del>} {after !== null && <ins>{after}</ins>}
        </dd>
      </div>
    ))}
    {entry.moreChanges > 0 && <p className="faint">and {countText(entry.moreChanges, "value")} more</p>}
    {entry.changes.length === 0 && <p className="faint">No value is told.</p>}
    <p className="faint">
      {entry.operation} · request {entry.requestId}
      {entry.address === null ? "" : ` · from ${entry.address}`}
    </p>
  </dl>
)

/** Whether nobody has rewritten the log, as the server has checked it. */
const Chain = ({ organizationId }: { readonly organizationId: number }) => {
  const { data, error } = useQuery({
    queryKey: ["audit verification", organizationId],
    queryFn: ({ signal }) => call("audit.verify", { path: { organizationId }, signal })
  })
  if (error !== null) return <Callout>{error.message}</Callout>
  if (data === undefined) return <p className="faint">The log is being checked …</p>
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
  const [chosen, choose] = useState<Chosen>({ kind: "", userId: "" })
  const [open, setOpen] = useState<number | null>(null)
  const members = useMembers(organization.id)
  const entries = useEntries(organization.id, chosen, denied === null)
  const rows = entries.data?.pages.flatMap(({ items }) => items) ?? []
  const isFiltered = chosen.kind !== "" || chosen.userId !== ""
  return (
    <SettingsPage
      title="Log of changes"
      lead={`Who changed what in ${organization.name}: keys, members, configurations, experiments and all the rest.`}
    >
      {denied !== null ? (
        <p className="faint">{denied}</p>
      ) : (
        <section className="card" aria-label="Changes" aria-busy={entries.isFetching}>
          <div className="toolbar">
            <label className="field">
              What
              <select
                value={chosen.kind}
                onChange={({ currentTarget }) => choose({ ...chosen, kind: currentTarget.value })}
              >
                <option value="">Everything</option>
                {auditedKinds.map(([kind, name]) => (
                  <option key={kind} value={kind}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label className="field">
              Who
              <select
                value={chosen.userId}
                onChange={({ currentTarget }) => choose({ ...chosen, userId: currentTarget.value })}
              >
                <option value="">Everybody</option>
                {(members.data ?? []).map(({ user }) => (
                  <option key={user.id} value={user.id}>
                    {user.name}
                  </option>
                ))}
              </select>
            </label>
          </div>
          {entries.error !== null ? (
            <Failed error={entries.error} retry={() => void entries.refetch()} />
          ) : entries.data === undefined ? (
            <Skeleton />
          ) : rows.length === 0 ? (
            <p className="faint">
              {isFiltered ? "No change is of this kind and by this person." : "Nothing has been changed yet."}
            </p>
          ) : (
            <ListTable
              label="List of changes"
              rows={rows}
              keyOf={({ number }) => number}
              columns={[
                { name: "When", render: ({ at }) => momentText(at, timezone) },
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
          {entries.hasNextPage && (
            <button
              type="button"
              className="button"
              disabled={entries.isFetchingNextPage}
              onClick={() => void entries.fetchNextPage()}
            >
              {entries.isFetchingNextPage ? "Loading …" : "Older changes"}
            </button>
          )}
          <Chain organizationId={organization.id} />
        </section>
      )}
    </SettingsPage>
  )
}
