import type { Permission } from "../../domain/access/Permission.ts"

/** Why what the subject names cannot be done, and who can change that: "Erasing needs the permission players:delete. …". */
export const deniedTo = (subject: string, ...permissions: ReadonlyArray<Permission>): string =>
  `${subject} needs the ${permissions.length === 1 ? "permission" : "permissions"} ${permissions.join(" and ")}. An owner or admin can give it.`

/** Why a control cannot be used, and who can change that. */
export const deniedText = (...permissions: ReadonlyArray<Permission>): string => deniedTo("It", ...permissions)
