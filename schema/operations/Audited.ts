import type { Requirement } from "../access/RequiredPermission.ts"

/** The header in which a request that changes something says why. */
export const reasonHeader = "x-change-reason"

/** Characters of a reason. */
export const longestReason = 500

/** What asks for a permission to write and writes nothing. */
const writesNothing: ReadonlySet<string> = new Set(["configurations.check"])

/** What needs no permission and changes an organization all the same. */
const joins: ReadonlySet<string> = new Set(["organizations.create", "invitations.accept"])

/** Whether an operation changes something of an organization, so that the log of changes tells of it. */
export const isAudited = (method: string, operation: string, requirement: Requirement | undefined): boolean => {
  if (method.toUpperCase() === "GET" || writesNothing.has(operation)) return false
  return joins.has(operation) || /:(write|delete)$/.test(requirement?.permission ?? "")
}
