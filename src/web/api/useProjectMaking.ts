import { useRef } from "react"
import { call } from "./client.ts"

interface Wanted {
  /** The organization that the project belongs to; null makes a new one for it. */
  readonly organizationId: number | null
  /** Name of the new organization. */
  readonly organization: string
  readonly name: string
}

/**
 * What makes a project, with an organization of its own where none is named. Where the organization was made and the project refused, the
 * next try makes the project alone: each further organization would be one more that nobody wanted.
 */
export const useProjectMaking = () => {
  const made = useRef<{ readonly id: number; readonly name: string } | null>(null)
  const ownerOf = async ({ organizationId, organization }: Wanted): Promise<number> => {
    if (organizationId !== null) return organizationId
    if (made.current?.name !== organization) {
      const { id } = await call("organizations.create", { body: { name: organization } })
      made.current = { id, name: organization }
    }
    return made.current.id
  }
  return async (wanted: Wanted) =>
    call("projects.create", { path: { organizationId: await ownerOf(wanted) }, body: { name: wanted.name } })
}
