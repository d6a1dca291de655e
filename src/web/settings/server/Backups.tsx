import { call } from "../../api/client.ts"
import { useProject } from "../../shell/Project.tsx"
import { bytesText, countText } from "../../text/Numbers.ts"
import { momentText } from "../../text/Times.ts"
import { DeniableButton } from "../../ui/DeniableButton.tsx"
import { ListTable } from "../../ui/ListTable.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { Callout, Empty, Failed, Skeleton } from "../../ui/States.tsx"
import { useChange } from "../AccessQueries.ts"
import { Section } from "../Section.tsx"
import { backupLists, useBackups } from "./ServerQueries.ts"

/** Copies of the whole server: what there is, what runs, and how the last one ended. */
export const Backups = () => {
  const { timezone } = useProject()
  const backups = useBackups()
  // Also where one runs already, begun by the clock or by somebody else, which the list then shows.
  const listAgain = () => void backups.refetch()
  const begin = useChange(() => call("backups.create", {}).finally(listAgain), backupLists)
  const drill = useChange(
    (backupId: string) => call("backups.drill", { path: { backupId } }).finally(listAgain),
    backupLists
  )
  const found = backups.data
  const nowhere = found?.place === null ? "The server is told no place for backups (--backup-to)." : null
  const busy = found !== undefined && found.running !== null ? "One runs already." : null
  const denied = nowhere ?? busy
  return (
    <Section
      title="Backups"
      action={
        <DeniableButton denied={denied} isBusy={begin.isPending} onClick={() => begin.mutate(undefined)}>
          Back up now
        </DeniableButton>
      }
    >
      <p className="form-error" role="alert">
        {(begin.error ?? drill.error)?.message}
      </p>
      {found === undefined ? (
        backups.error === null ? (
          <Skeleton height={160} />
        ) : (
          <Failed error={backups.error} retry={() => void backups.refetch()} />
        )
      ) : (
        <>
          {found.place !== null && (
            <p className="faint">
              In {found.place}, every {countText(found.everyHours, "hour")}.
            </p>
          )}
          <p role="status">
            {found.running !== null && (
              <>
                {found.running.kind === "backup"
                  ? "A backup runs"
                  : `${found.running.backupId ?? "A backup"} is being tried`}{" "}
                since <Moment at={found.running.startedAt} />.
              </>
            )}
          </p>
          {found.running === null && found.last !== null && (
            <>
              <Callout tone={found.last.isGood ? "good" : "bad"}>
                {found.last.kind === "backup" ? "The last backup" : "The last trial"}, of{" "}
                <Moment at={found.last.endedAt} />, {found.last.isGood ? "went well" : "failed"}.
              </Callout>
              <details>
                <summary>What it said</summary>
                <ul className="entries">
                  {found.last.message.split("\n").map((line) => (
                    <li key={line}>{line}</li>
                  ))}
                </ul>
              </details>
            </>
          )}
          {found.items.length === 0 ? (
            <Empty title="No backup yet">
              {nowhere ?? "One is made by itself once it is due, or now, by the button above."}
            </Empty>
          ) : (
            <ListTable
              label="List of backups"
              rows={found.items}
              keyOf={({ id }) => id}
              columns={[
                { name: "Instant", kind: "head", render: ({ instant }) => <Moment at={instant} /> },
                { name: "Size", kind: "number", render: ({ bytes }) => bytesText(bytes) },
                { name: "Markers", kind: "number", render: ({ markers }) => markers.toLocaleString("en-US") },
                { name: "Version", render: ({ version }) => version },
                {
                  name: "State",
                  render: ({ state }) => (state === "complete" ? "complete" : "lacks markers that were damaged already")
                },
                {
                  name: "Actions",
                  kind: "actions",
                  render: ({ id, instant }) => (
                    <DeniableButton
                      denied={denied}
                      look="button-small"
                      label={`Try the backup of ${momentText(instant, timezone)}`}
                      isBusy={drill.isPending}
                      onClick={() => drill.mutate(id)}
                    >
                      Try it
                    </DeniableButton>
                  )
                }
              ]}
            />
          )}
          <p className="faint">
            Trying one restores it beside the server, starts it, checks it and deletes it again. To go back to one, use{" "}
            <code>gamekeeper restore</code>.
          </p>
        </>
      )}
    </Section>
  )
}
