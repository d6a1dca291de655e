import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import type { FormEvent } from "react"
import { Redirect, useLocation } from "wouter"
import { call } from "../api/client.ts"
import { useOrganizations } from "../api/queries.ts"
import { useProjectMaking } from "../api/useProjectMaking.ts"
import { Button } from "../ui/Button.tsx"
import { Empty } from "../ui/States.tsx"
import { InsteadOfPage, Unanswered } from "./InsteadOfPage.tsx"
import { lastPlace } from "./LastPlace.ts"
import { Accounts } from "./Accounts.tsx"

/** Every project has these environments from the beginning. */
const firstEnvironment = "production"

const NewProject = ({ organizationId }: { readonly organizationId: number | null }) => {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const make = useProjectMaking()
  const create = useMutation({
    mutationFn: (name: string) => make({ organizationId, organization: name, name }),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries()
      navigate(`/p/${id}/${firstEnvironment}/setup`)
    }
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    create.mutate(String(new FormData(event.currentTarget).get("name")))
  }
  return (
    <form className="empty" onSubmit={submit}>
      <h1>Your first project</h1>
      <p>A project is one game. It has its own markers, configurations and experiments.</p>
      <label className="field">
        Name of the game
        <input name="name" required maxLength={100} />
      </label>
      {create.error !== null && (
        <p className="form-error" role="alert">
          {create.error.message}
        </p>
      )}
      <Button type="submit" className="button button-primary" disabled={create.isPending}>
        Create the project
      </Button>
    </form>
  )
}

/** Asks for an organization that may demand a second factor: its refusal brings up the page for that. */
const Asked = ({ organizationId }: { readonly organizationId: number }) => {
  useQuery({
    queryKey: ["organization", organizationId],
    queryFn: ({ signal }) => call("organizations.get", { path: { organizationId }, signal })
  })
  return null
}

/** Leads to the project of the last visit, else to the first one, else to making one; there to a page, where one is named. */
export const Start = ({ page = "" }: { readonly page?: string }) => {
  const organizations = useOrganizations()
  if (organizations.data === undefined) {
    return <Unanswered error={organizations.error} retry={() => void organizations.refetch()} />
  }
  const applications = organizations.data.flatMap((organization) => organization.applications)
  const last = lastPlace()
  if (last !== null && applications.some(({ id }) => id === last.applicationId)) {
    return <Redirect to={`/p/${last.applicationId}/${last.environment}${page}`} replace />
  }
  const first = applications.at(0)
  if (first !== undefined) return <Redirect to={`/p/${first.id}/${firstEnvironment}${page}`} replace />
  const demanding = organizations.data.find(({ requiresSecondFactor }) => requiresSecondFactor)
  const owned = organizations.data.find(({ role }) => role.permissions.includes("projects:write"))
  return (
    <main className="alone">
      {demanding !== undefined && <Asked organizationId={demanding.id} />}
      {owned === undefined && organizations.data.length > 0 ? (
        <InsteadOfPage>
          <Empty title="No project yet">
            Your organization has no project that you may see. Ask an owner or admin.
          </Empty>
        </InsteadOfPage>
      ) : (
        <NewProject organizationId={owned?.id ?? null} />
      )}
      <Accounts />
    </main>
  )
}
