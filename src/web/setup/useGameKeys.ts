import { keyPermissions } from "../../domain/access/KeyPermissions.ts"
import { works } from "../settings/keys/KeyState.ts"
import { useKeys } from "../settings/AccessQueries.ts"
import { useProject } from "../shell/Project.tsx"

interface GameKeys {
  /** Names of the public keys with which games send markers to this environment; none where this person may not see keys. */
  readonly names: ReadonlyArray<string>
  /** Whether the server has yet to say which there are. */
  readonly isAsking: boolean
  /** Why it is not known which there are. */
  readonly error: Error | null
}

/** The keys that games use in this environment. */
export const useGameKeys = (): GameKeys => {
  const { applicationId, environmentId, organization, mayInOrganization } = useProject()
  const keys = useKeys(organization?.id ?? 0, organization !== null && mayInOrganization("api_keys:read"))
  const names = (keys.data ?? [])
    .filter(
      (key) =>
        key.type === "public" &&
        works(key) &&
        key.applicationIds.includes(applicationId) &&
        key.environmentIds.includes(environmentId) &&
        keyPermissions(key).has("sdk:ingest")
    )
    .map(({ name }) => name)
  return { names, isAsking: keys.isLoading, error: keys.data === undefined ? keys.error : null }
}
