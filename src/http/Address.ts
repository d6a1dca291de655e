import type { ApplicationId, EnvironmentId } from "../domain/Ids.ts"
import type { ApplicationWhere, Where } from "../services/Where.ts"

interface Addressed<Headers> {
  readonly path: { readonly applicationId: ApplicationId }
  readonly headers: Headers
}

/** The environment that a request names. */
export const whereOf = ({ path, headers }: Addressed<{ readonly environment_id: EnvironmentId }>): Where => ({
  applicationId: path.applicationId,
  environmentId: headers.environment_id
})

/** The application that a request names, with the environment if it names one. */
export const applicationWhereOf = ({
  path,
  headers
}: Addressed<{ readonly environment_id?: EnvironmentId | undefined }>): ApplicationWhere => ({
  applicationId: path.applicationId,
  environmentId: headers.environment_id
})
