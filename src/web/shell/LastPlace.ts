interface Place {
  readonly applicationId: number
  readonly environment: string
}

const key = "gamekeeper-place"

/** Project and environment of the last visit, `4/production`, where this browser knows them. */
export const lastPlace = (): Place | null => {
  const [, applicationId, environment] = /^(\d+)\/([a-z0-9-]+)$/.exec(localStorage.getItem(key) ?? "") ?? []
  return applicationId === undefined || environment === undefined
    ? null
    : { applicationId: Number(applicationId), environment }
}

export const rememberPlace = ({ applicationId, environment }: Place): void =>
  localStorage.setItem(key, `${applicationId}/${environment}`)
