import type { ReactNode } from "react"
import { useEffect, useState } from "react"
import { ApiFailure } from "../api/Failure.ts"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

/** Milliseconds before a skeleton is shown: a quick answer needs none. */
const patience = 120

/** Stands where an answer will be, in its size. */
export const Skeleton = ({ height = 320 }: { readonly height?: number }) => {
  const [isShown, show] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => show(true), patience)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div
      className={isShown ? "skeleton skeleton-shown" : "skeleton"}
      role="status"
      ref={(box) => {
        box?.style.setProperty("height", `${height}px`)
      }}
    >
      <span className="unseen">Loading</span>
    </div>
  )
}

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** What a page is for, where there is nothing to show yet. */
export const Empty = ({ title, children, action }: EmptyProps) => (
  <div className="empty">
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
)

interface FailedProps {
  readonly error: Error
  readonly retry: () => void
}

/** What went wrong, in the server's words, and what to do about it. */
export const Failed = ({ error, retry }: FailedProps) => {
  const failure = error instanceof ApiFailure ? error : null
  if (failure?.statusCode === 403) {
    return (
      <div className="empty" role="alert">
        <h2>You may not see this</h2>
        <p>{failure.message}. An owner or admin of the organization can change your role.</p>
      </div>
    )
  }
  // Asking once more finds nothing either.
  if (failure?.statusCode === 404) {
    return (
      <div className="empty" role="alert">
        <h2>It is not here</h2>
        <p>{failure.message}. It may have been deleted since, or belong to another environment or project.</p>
        <small className="code">{failure.code}</small>
      </div>
    )
  }
  // What was asked cannot be answered as it is: once more it is refused again.
  return (
    <div className="empty" role="alert">
      <h2>{failure?.statusCode === 0 ? "Not connected" : "This did not work"}</h2>
      <p>{error.message}</p>
      {failure?.statusCode !== 422 && (
        <Button className="button" onClick={retry}>
          Try again
        </Button>
      )}
      {failure !== null && failure.statusCode > 0 && <small className="code">{failure.code}</small>}
    </div>
  )
}

/** One line that a reader should not miss. */
export const Callout = ({
  tone = "warning",
  children
}: {
  readonly tone?: "warning" | "good" | "bad"
  readonly children: ReactNode
}) => (
  <p className={`callout callout-${tone}`}>
    <Icon name={tone === "good" ? "check" : tone === "bad" ? "warning" : "info"} />
    <span>{children}</span>
  </p>
)
