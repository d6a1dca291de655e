import { useId } from "react"
import { call } from "../api/client.ts"
import { Button } from "../ui/Button.tsx"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { isRepeated } from "../ui/DoubleClick.ts"
import { Moment } from "../ui/Moment.tsx"
import { Failed, Skeleton } from "../ui/States.tsx"
import { useChange, useSessions } from "./AccessQueries.ts"
import { Section } from "./Section.tsx"

/** Browsers in which this person is signed in. */
export const Sessions = () => {
  const sessions = useSessions()
  const end = useChange((sessionId: number) => call("users.endSession", { path: { sessionId } }), ["sessions"])
  const endOthers = useChange(() => call("users.endOtherSessions", {}), ["sessions"])
  const prefix = useId()
  const present = sessions.data?.filter(({ status }) => status !== "expired") ?? []
  const hasOthers = present.some(({ isCurrent }) => !isCurrent)
  return (
    <Section
      title="Where you are signed in"
      action={
        <DeniableButton
          denied={hasOthers ? null : "You are signed in nowhere else."}
          isBusy={endOthers.isPending}
          onClick={() => endOthers.mutate(undefined)}
        >
          Sign out everywhere else
        </DeniableButton>
      }
    >
      <p className="form-error" role="alert">
        {(end.error ?? endOthers.error)?.message}
      </p>
      {sessions.data === undefined ? (
        sessions.error === null ? (
          <Skeleton height={96} />
        ) : (
          <Failed error={sessions.error} retry={() => void sessions.refetch()} />
        )
      ) : (
        <ul className="entries">
          {present.map(({ id, isCurrent, browser, address, createdAt, lastUsedAt, expiresAt }) => (
            <li key={id}>
              <span id={`${prefix}-${id}`}>
                <b>{browser ?? (isCurrent ? "This browser" : "Another browser")}</b>
                <small className="faint">
                  {address !== null && <>from {address} · </>}
                  since <Moment at={createdAt} of="person" /> · last used <Moment at={lastUsedAt} of="person" /> · ends{" "}
                  <Moment at={expiresAt} of="person" />
                </small>
              </span>
              {isCurrent ? (
                <span className="tag">you are here</span>
              ) : (
                <Button
                  type="button"
                  className="button button-small"
                  id={`${prefix}-end-${id}`}
                  aria-labelledby={`${prefix}-end-${id} ${prefix}-${id}`}
                  disabled={end.isPending}
                  onClick={(event) => !isRepeated(event) && end.mutate(id)}
                >
                  Sign out there
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="faint">
        The menu under your name signs you out here, and switches to other accounts of this browser.
      </p>
    </Section>
  )
}
