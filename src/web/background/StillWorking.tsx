import type { QueryKey } from "@tanstack/react-query"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { call } from "../api/client.ts"
import { useMe } from "../api/queries.ts"
import type { Kind } from "../saved/Kind.ts"
import { nameFrom } from "../saved/Kind.ts"
import { useProject, useWhere } from "../shell/Project.tsx"
import { addRun } from "./Runs.ts"
import { deniedText } from "../text/Denied.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"

interface Props<State> {
  readonly kind: Kind<State>
  /** The question as the page asks it. */
  readonly question: State
  /** Under which the page keeps the answer; the page reads `{ answer, asked }` there. */
  readonly queryKey: QueryKey
  readonly isFetching: boolean
}

/** Seconds for which a question is nothing to speak of. */
const patience = 3

/** How long the question has been asked, where that is long, and what can be done meanwhile: hand it to the background, or give it up. */
const Waiting = <State,>({ kind, question, queryKey }: Omit<Props<State>, "isFetching">) => {
  const { timezone, may } = useProject()
  const where = useWhere()
  const client = useQueryClient()
  const me = useMe().data
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((present) => present + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  const definition = kind.definition(question, timezone)
  const isAllowed = may("queries:write")
  const handed = useMutation({
    mutationFn: async () => {
      if (definition === null || me === undefined) return
      const { applicationId, environmentId } = where
      const name = nameFrom(kind.words(question))
      const path = { applicationId }
      const { id } = await call("savedQueries.create", { path, body: { name, listed: false, ...definition } })
      const { executionId } = await call("savedQueries.request", {
        path: { applicationId, queryId: id },
        environment: environmentId,
        body: null
      })
      const href = window.location.pathname + window.location.search
      const run = { applicationId, environmentId, queryId: id, executionId, name, href, queryKey, asked: question }
      addRun({ userId: me.id, ...run })
      await client.cancelQueries({ queryKey })
    }
  })
  if (seconds < patience) return null
  return (
    <div className="still-working" role="status">
      <span>{handed.error?.message ?? `Still working … ${seconds} s`}</span>
      <DeniableButton
        denied={isAllowed ? null : deniedText("queries:write")}
        look="button-small"
        isBusy={handed.isPending}
        onClick={() => handed.mutate()}
      >
        Run in the background
      </DeniableButton>
      <button
        type="button"
        className="button button-small button-quiet"
        onClick={() => void client.cancelQueries({ queryKey })}
      >
        Cancel
      </button>
    </div>
  )
}

/** Shown above an answer: nothing while the question is young or answered. */
export const StillWorking = <State,>({ isFetching, queryKey, ...props }: Props<State>) =>
  isFetching ? <Waiting key={JSON.stringify(queryKey)} queryKey={queryKey} {...props} /> : null
