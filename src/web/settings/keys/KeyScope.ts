import { useQueries } from "@tanstack/react-query"
import type { Permission } from "../../../domain/access/Permission.ts"
import { impossible } from "../../../domain/access/KeyPermissions.ts"
import { environmentsQuery } from "../../api/queries.ts"
import type { Environment, Organization } from "../../shell/Project.tsx"
import { deniedText } from "../../text/Denied.ts"
import type { Key } from "../AccessQueries.ts"
import type { Rights } from "../useRights.ts"

/** What a key that is about to be made is for. */
export interface KeyDraft {
  readonly type: Key["type"]
  readonly allProjects: boolean
  readonly applicationIds: ReadonlyArray<number>
  readonly environmentIds: ReadonlyArray<number>
  readonly permissions: ReadonlyArray<Permission>
}

/** The projects of a key; null stands for all of the organization, also for those to come. */
export const projectsOf = (key: Pick<KeyDraft, "allProjects" | "applicationIds">): ReadonlyArray<number> | null =>
  key.allProjects ? null : key.applicationIds

/** Environments of the projects of an organization that this person may see. */
export const useEnvironmentsOf = (
  { applications }: Organization,
  rights: Pick<Rights, "holds">
): ReadonlyArray<Environment> =>
  useQueries({
    queries: applications.map(({ id }) => ({
      ...environmentsQuery(id),
      enabled: rights.holds(id, "projects:read")
    })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? [])
  })

/** Why a key of this kind for these projects cannot hold the permission; null where it can. */
export const deniedOnKey = (draft: KeyDraft, rights: Rights, permission: Permission): string | null => {
  if (impossible(draft.type, [permission]).length > 0) return "Every player can read a public key out of the game."
  const places = projectsOf(draft)
  const lacked = draft.type === "personal" ? rights.nowhere([permission], places) : rights.excess([permission], places)
  return lacked.length === 0 ? null : deniedText(permission)
}

/** The draft with what its kind and projects cannot have taken out. */
export const fitting = (draft: KeyDraft, rights: Rights, environments: ReadonlyArray<Environment>): KeyDraft => ({
  ...draft,
  environmentIds: draft.environmentIds.filter((id) =>
    environments.some(
      (each) => each.id === id && (draft.allProjects || draft.applicationIds.includes(each.applicationId))
    )
  ),
  permissions: draft.permissions.filter((permission) => deniedOnKey(draft, rights, permission) === null)
})
