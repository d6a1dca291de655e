import type { ReactNode } from "react"
import { createContext, useContext, useEffect, useMemo } from "react"
import type { Permission } from "../../domain/access/Permission.ts"
import type { Answer } from "../api/Wire.ts"
import type { Where } from "../api/queries.ts"
import { useApplication, useEnvironments, useOrganizations, usePermissions } from "../api/queries.ts"
import { isRefusal } from "../api/Failure.ts"
import { Empty, Failed } from "../ui/States.tsx"
import { InsteadOfAll, Unanswered } from "./InsteadOfPage.tsx"
import { rememberPlace } from "./LastPlace.ts"

export type Organization = Answer<"organizations.list">[number]
export type Environment = Answer<"environments.list">[number]

export interface ProjectContext extends Where {
  readonly name: string
  /** Zone of the project's days. */
  readonly timezone: string
  readonly environment: Environment
  readonly environments: ReadonlyArray<Environment>
  /** Null where the caller sees the project without being a member of its organization. */
  readonly organization: Organization | null
  /** Whether the caller's role in the project holds the permission. */
  readonly may: (permission: Permission) => boolean
  /** Whether the caller's role in the organization does, for what concerns all projects: members, keys, roles. */
  readonly mayInOrganization: (permission: Permission) => boolean
}

/** Stands for a project only where no page is shown. */
const none: ProjectContext = {
  applicationId: 0,
  environmentId: 0,
  name: "",
  timezone: "UTC",
  environment: {
    id: 0,
    applicationId: 0,
    name: "",
    alias: "",
    retentionDays: null,
    markerRetentionDays: {},
    createdAt: ""
  },
  environments: [],
  organization: null,
  may: () => false,
  mayInOrganization: () => false
}

const Context = createContext<ProjectContext>(none)

/** The project and environment of the address. Pages are only shown inside one. */
export const useProject = (): ProjectContext => useContext(Context)

/** Where the questions of a page are asked; the same object while it is the same place. */
export const useWhere = (): Where => {
  const { applicationId, environmentId } = useProject()
  return useMemo(() => ({ applicationId, environmentId }), [applicationId, environmentId])
}

interface Props {
  readonly applicationId: number
  readonly environment: string
  readonly children: ReactNode
}

export const Project = ({ applicationId, environment: alias, children }: Props) => {
  const application = useApplication(applicationId)
  const environments = useEnvironments(applicationId)
  const organizations = useOrganizations()
  const permissions = usePermissions(applicationId)
  const project = useMemo((): ProjectContext | null => {
    const environment = environments.data?.find((each) => each.alias === alias)
    if (application.data === undefined || organizations.data === undefined) return null
    if (permissions.data === undefined || environment === undefined || environments.data === undefined) return null
    const { organizationId } = application.data
    const organization = organizations.data.find(({ id }) => id === organizationId) ?? null
    return {
      applicationId,
      environmentId: environment.id,
      name: application.data.name,
      timezone: application.data.timezone,
      environment,
      environments: environments.data,
      organization,
      may: (permission) => permissions.data.includes(permission),
      mayInOrganization: (permission) => organization?.role.permissions.includes(permission) ?? false
    }
  }, [alias, application.data, applicationId, environments.data, organizations.data, permissions.data])
  useEffect(() => {
    if (project === null) return
    const mayAsk = project.may("markers:read") && project.may("analytics:read")
    rememberPlace({ ...project, environment: project.environment.alias, mayAsk })
  }, [project])
  if (project !== null) return <Context.Provider value={project}>{children}</Context.Provider>
  const error = application.error ?? environments.error ?? organizations.error ?? permissions.error
  const retry = () => {
    for (const { refetch } of [application, environments, organizations, permissions]) void refetch()
  }
  const isWaiting = [application, environments, organizations, permissions].some(({ data }) => data === undefined)
  if (isRefusal(error)) {
    return (
      <InsteadOfAll>
        <Failed error={error} retry={retry} />
        <p className="empty">
          <a href="/">Go to the first page</a>
        </p>
      </InsteadOfAll>
    )
  }
  if (error !== null || isWaiting) return <Unanswered error={error} retry={retry} />
  return (
    <InsteadOfAll>
      <Empty title="There is no such environment">
        {application.data?.name} has no environment {alias}. <a href="/">Go to the first page</a>
      </Empty>
    </InsteadOfAll>
  )
}
