interface Place {
  readonly applicationId: number
  readonly environment: string
  readonly environmentId: number
  /** Zone of the project's days. */
  readonly timezone: string
}

const key = "gamekeeper-place"

/** Project and environment of the last visit, `4/production/9/Europe/Berlin`, where this browser knows them. */
export const lastPlace = (): Place | null => {
  const [, applicationId, environment, environmentId, timezone] =
    /^(\d+)\/([a-z0-9-]+)\/(\d+)\/(.+)$/.exec(localStorage.getItem(key) ?? "") ?? []
  return applicationId === undefined || environment === undefined || timezone === undefined
    ? null
    : { applicationId: Number(applicationId), environment, environmentId: Number(environmentId), timezone }
}

export const rememberPlace = ({ applicationId, environment, environmentId, timezone }: Place): void =>
  localStorage.setItem(key, `${applicationId}/${environment}/${environmentId}/${timezone}`)
