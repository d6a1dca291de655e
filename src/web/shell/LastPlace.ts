import { readStored, writeStored } from "../ui/Stored.ts"

interface Place {
  readonly applicationId: number
  readonly environment: string
  readonly environmentId: number
  /** Zone of the project's days. */
  readonly timezone: string
  /** Whether this person could ask questions there: else a page waits with its first one until it knows. */
  readonly mayAsk: boolean
}

const key = "gamekeeper-place"

/** Project and environment of the last visit, `4/production/9/1/Europe/Berlin`, where this browser knows them. */
export const lastPlace = (): Place | null => {
  const [, applicationId, environment, environmentId, mayAsk, timezone] =
    /^(\d+)\/([a-z0-9-]+)\/(\d+)\/([01])\/(.+)$/.exec(readStored("localStorage", key) ?? "") ?? []
  return applicationId === undefined || environment === undefined || timezone === undefined
    ? null
    : {
        applicationId: Number(applicationId),
        environment,
        environmentId: Number(environmentId),
        timezone,
        mayAsk: mayAsk === "1"
      }
}

export const rememberPlace = ({ applicationId, environment, environmentId, timezone, mayAsk }: Place): void =>
  void writeStored(
    "localStorage",
    key,
    `${applicationId}/${environment}/${environmentId}/${mayAsk ? 1 : 0}/${timezone}`
  )
