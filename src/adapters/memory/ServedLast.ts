import type { Application } from "../../domain/access/Organization.ts"
import type { ApplicationId, OrganizationId } from "../../domain/Ids.ts"
import type { Table } from "./Table.ts"

/** Compares rows of projects so that those of the served organizations come last. */
export const servedLast = (applications: Table<Application>, served: ReadonlyArray<OrganizationId>) => {
  const projects = new Set(
    applications.rows.flatMap(({ id, organizationId }) => (served.includes(organizationId) ? [id] : []))
  )
  type OfProject = { readonly applicationId: ApplicationId }
  return (left: OfProject, right: OfProject): number =>
    Number(projects.has(left.applicationId)) - Number(projects.has(right.applicationId))
}
