import { useMutation } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { useId, useState } from "react"
import { Link } from "wouter"
import { call } from "../api/client.ts"
import type { Where } from "../api/queries.ts"
import { queryClient } from "../api/queries.ts"
import { pages } from "../shell/PageList.ts"
import { useProject } from "../shell/Project.tsx"
import { countText } from "../text/Numbers.ts"
import { Button } from "../ui/Button.tsx"
import { Callout } from "../ui/States.tsx"
import type { ChartNumber } from "./Number.ts"

interface Props {
  readonly where: Where
  readonly number: ChartNumber
  /** The name that is proposed. */
  readonly name: string
}

const longestName = 100

const hasPage = pages.some(({ items }) => items.some(([path]) => path === "cohorts"))

/** Names the players behind a number: a static cohort of exactly these, made by the server. */
export const MakeCohort = ({ where, number, name: proposed }: Props) => {
  const { applicationId, environment, may } = useProject()
  const [name, setName] = useState(proposed.slice(0, longestName))
  const field = useId()
  const made = useMutation({
    mutationFn: () =>
      call("cohorts.create", {
        path: { applicationId: where.applicationId },
        environment: where.environmentId,
        body: { name: name.trim(), kind: "static", from: number }
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["cohorts"] })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    made.mutate()
  }
  if (made.data !== undefined) {
    const { name: given, memberCount } = made.data
    return (
      <div role="status">
        <Callout tone="good">
          The cohort{" "}
          {hasPage ? (
            <Link href={`/p/${applicationId}/${environment.alias}/cohorts/${made.data.id}`}>{given}</Link>
          ) : (
            <b>{given}</b>
          )}{" "}
          has {countText(memberCount, "player")}.
        </Callout>
      </div>
    )
  }
  const isAllowed = may("cohorts:write")
  return (
    <form className="who-cohort" onSubmit={submit}>
      <label htmlFor={field}>Make a cohort of them</label>
      <div className="row">
        <input
          id={field}
          className="input"
          value={name}
          maxLength={longestName}
          required
          disabled={!isAllowed}
          onChange={(event) => setName(event.target.value)}
        />
        <Button
          type="submit"
          className="button button-primary"
          disabled={!isAllowed || made.isPending || name.trim() === ""}
        >
          {made.isPending ? "Making it …" : "Make a cohort"}
        </Button>
      </div>
      {!isAllowed && <p className="faint">Your role does not allow it: an owner or admin can change that.</p>}
      {made.error !== null && (
        <p className="form-error" role="alert">
          {made.error.message}
        </p>
      )}
    </form>
  )
}
