import type { ApplicationId, EnvironmentId } from "../domain/Ids.ts"

/** An environment of an application, as a request names it. */
export interface Where {
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId
}

/** An application, and one of its environments if the request names one. Each service says what it takes otherwise, mostly production. */
export interface ApplicationWhere {
  readonly applicationId: ApplicationId
  readonly environmentId: EnvironmentId | undefined
}
