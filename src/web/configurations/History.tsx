import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { call } from "../api/client.ts"
import { isMismatch } from "../api/Failure.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { Button } from "../ui/Button.tsx"
import { Moment } from "../ui/Moment.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import { Sheet } from "../ui/dialogs/Sheet.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import { ChangeList } from "./ChangeList.tsx"
import type { Configuration } from "./ConfigurationQueries.ts"
import { configurationQuery, useDiff, useVersions } from "./ConfigurationQueries.ts"
import { PublishRefusal } from "./PublishRefusal.tsx"
import { ReasonField } from "./ReasonField.tsx"

interface Props {
  readonly configuration: Configuration
  /** Why no version can be brought back; null where one can. */
  readonly refused: string | null
  readonly onPublished: (published: Configuration, before: number) => void
}

interface OpenedProps extends Props {
  readonly version: number
  readonly onClose: () => void
}

type View = "return" | "then"

const views: ReadonlyArray<readonly [View, string]> = [
  ["return", "What bringing it back changes"],
  ["then", "What it changed then"]
]

const meanwhile = new Error("Somebody has published meanwhile. Look at what bringing it back changes now.")

/** What bringing a version back would change, with the way to do it, and what the version once changed. */
const Opened = ({ configuration, version, refused, onClose, onPublished }: OpenedProps) => {
  const where = useWhere()
  const queries = useQueryClient()
  const { environment } = useProject()
  const isPresent = version === configuration.version
  const [view, show] = useState<View>(isPresent ? "then" : "return")
  const [reason, setReason] = useState("")
  const [from, to] = view === "then" ? [Math.max(1, version - 1), version] : [configuration.version, version]
  const diff = useDiff(where, configuration.id, from, to)
  const reverting = useMutation({
    mutationFn: () =>
      call("configurations.revert", {
        path: { applicationId: where.applicationId, configurationId: configuration.id },
        environment: where.environmentId,
        body: { version, baseHash: configuration.hash, ...(reason.trim() === "" ? {} : { reason: reason.trim() }) }
      }),
    onSuccess: (published) => onPublished(published, configuration.version),
    onError: async (error) => {
      if (!isMismatch(error)) return
      await queries.fetchQuery({ ...configurationQuery(where, configuration.id), staleTime: 0 })
    }
  })
  const isProduction = environment.alias === "production"
  return (
    <Sheet title={`Version ${version} of ${configuration.name}`} onClose={onClose} isWide>
      {!isPresent && <Segmented label="Show" value={view} choices={views} onChoose={show} />}
      {from === to ? (
        <p className="faint">
          {isPresent ? "This is the first version, and the present one." : "This is the first version."}
        </p>
      ) : diff.error !== null ? (
        <Failed error={diff.error} retry={() => void diff.refetch()} />
      ) : diff.data === undefined ? (
        <Skeleton height={160} />
      ) : diff.data.changes.length + diff.data.privacy.added.length + diff.data.privacy.removed.length === 0 ? (
        <p className="faint">Both have the same values.</p>
      ) : (
        <>
          <p className="faint">
            From version {from}
            {view === "return" && ", which is live,"} to version {to}:
          </p>
          <ChangeList changes={diff.data.changes} hidden={diff.data.privacy.added} shown={diff.data.privacy.removed} />
        </>
      )}
      {view === "return" && (
        <>
          <ReasonField reason={reason} isNeeded={isProduction} onChange={setReason} />
          <PublishRefusal
            error={isMismatch(reverting.error) ? meanwhile : reverting.error}
            configurationId={configuration.id}
            paths={diff.data?.changes.map(({ path }) => path) ?? []}
          />
          <Button
            type="button"
            className="button button-primary"
            disabled={
              refused !== null ||
              diff.data === undefined ||
              reverting.isPending ||
              (isProduction && reason.trim() === "")
            }
            onClick={() => reverting.mutate()}
          >
            Bring version {version} back to {environment.name}
          </Button>
          {refused !== null && <p className="faint">{refused}</p>}
        </>
      )}
    </Sheet>
  )
}

/** All versions, newest first, fifty a page. */
export const History = (props: Props) => {
  const { configuration } = props
  const where = useWhere()
  const [cursors, setCursors] = useState<ReadonlyArray<string>>([])
  const [opened, setOpened] = useState<number | null>(null)
  const page = useVersions(where, configuration.id, cursors.at(-1))
  if (page.error !== null) return <Failed error={page.error} retry={() => void page.refetch()} />
  if (page.data === undefined) return <Skeleton />
  const { items, nextCursor } = page.data
  return (
    <>
      <div className="table-box" role="region" aria-label="Versions" tabIndex={0}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">Reason</th>
              <th scope="col">By</th>
              <th scope="col">Published</th>
            </tr>
          </thead>
          <tbody>
            {items.map(({ version, reason, createdBy, createdAt }) => (
              <tr key={version}>
                <th scope="row">
                  <button type="button" className="button button-small" onClick={() => setOpened(version)}>
                    Version {version}
                  </button>{" "}
                  {version === configuration.version && <span className="tag">live</span>}
                </th>
                <td className="wide-text">{reason ?? <span className="faint">none given</span>}</td>
                <td>{createdBy?.email ?? <span className="faint">not known</span>}</td>
                <td>
                  <Moment at={createdAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="row">
        {cursors.length > 0 && (
          <button type="button" className="button button-small" onClick={() => setCursors(cursors.slice(0, -1))}>
            Newer
          </button>
        )}
        {nextCursor !== null && (
          <button type="button" className="button button-small" onClick={() => setCursors([...cursors, nextCursor])}>
            Older
          </button>
        )}
      </div>
      {opened !== null && <Opened key={opened} {...props} version={opened} onClose={() => setOpened(null)} />}
    </>
  )
}
