import { useQueries } from "@tanstack/react-query"
import type { Permission } from "../../../domain/access/Permission.ts"
import { impossible, keyPermissions } from "../../../domain/access/KeyPermissions.ts"
import { environmentsQuery } from "../../api/queries.ts"
import type { Environment, Organization } from "../../shell/Project.tsx"
import { deniedText } from "../../text/Denied.ts"
import type { Key } from "../AccessQueries.ts"
import type { Rights } from "../useRights.ts"

/** What a key that is about to be made or changed is for. */
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
  return deniedKey({ ...draft, permissions: [permission] }, rights)
}

/** A key as it is, to be changed. */
export const draftOf = (key: Key): KeyDraft => ({
  type: key.type,
  allProjects: key.allProjects,
  applicationIds: key.applicationIds,
  environmentIds: key.environmentIds,
  permissions: [...keyPermissions(key)]
})

/** Whether two lists have the same members, in whatever order. */
export const sameMembers = <Member>(one: ReadonlyArray<Member>, other: ReadonlyArray<Member>): boolean =>
  one.length === other.length && one.every((each) => other.includes(each))

/** The projects of a draft as the server takes them. */
export const projectScopeOf = ({ allProjects, applicationIds: [first, ...others] }: KeyDraft) =>
  allProjects || first === undefined
    ? { allProjects: true as const }
    : { allProjects: false as const, applicationIds: [first, ...others] as const }

/** What a draft lacks before it can be a key; null where it lacks nothing. */
export const missingIn = (draft: KeyDraft): string | null => {
  if (!draft.allProjects && draft.applicationIds.length === 0) return "Choose a project."
  if (draft.environmentIds.length === 0) return "Choose an environment."
  return draft.permissions.length === 0 ? "Choose what it may do." : null
}

/** Why this person may not give all that a key of the draft holds; null where they may. */
export const deniedKey = (draft: KeyDraft, rights: Rights): string | null => {
  const places = projectsOf(draft)
  const lacked =
    draft.type === "personal" ? rights.nowhere(draft.permissions, places) : rights.excess(draft.permissions, places)
  return lacked.length === 0 ? null : deniedText(...lacked)
}

const isCovered = (draft: KeyDraft, { applicationId }: Environment): boolean =>
  draft.allProjects || draft.applicationIds.includes(applicationId)

/** The draft without environments of other projects. Those that this person may not see stay: the server decides about them. */
export const within = (draft: KeyDraft, environments: ReadonlyArray<Environment>): KeyDraft => ({
  ...draft,
  environmentIds: draft.environmentIds.filter((id) => {
    const known = environments.find((each) => each.id === id)
    return known === undefined || isCovered(draft, known)
  })
})

/** The draft with what its kind and projects cannot have taken out. */
export const fitting = (draft: KeyDraft, rights: Rights, environments: ReadonlyArray<Environment>): KeyDraft => ({
  ...draft,
  environmentIds: draft.environmentIds.filter((id) =>
    environments.some((each) => each.id === id && isCovered(draft, each))
  ),
  permissions: draft.permissions.filter((permission) => deniedOnKey(draft, rights, permission) === null)
})
