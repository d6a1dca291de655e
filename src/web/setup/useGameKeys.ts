import { keyPermissions } from "../../domain/access/KeyPermissions.ts"
import { works } from "../settings/keys/KeyState.ts"
import { useKeys } from "../settings/AccessQueries.ts"
import { useProject } from "../shell/Project.tsx"

/** Names of the public keys with which games send markers to this environment; none where this person may not see keys. */
export const useGameKeys = (): ReadonlyArray<string> => {
  const { applicationId, environmentId, organization, mayInOrganization } = useProject()
  const keys = useKeys(organization?.id ?? 0, organization !== null && mayInOrganization("api_keys:read"))
  return (keys.data ?? [])
    .filter(
      (key) =>
        key.type === "public" &&
        works(key) &&
        key.applicationIds.includes(applicationId) &&
        key.environmentIds.includes(environmentId) &&
        keyPermissions(key).has("sdk:ingest")
    )
    .map(({ name }) => name)
}
