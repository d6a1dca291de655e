import type { Permission } from "../../domain/access/Permission.ts"

/** Why a control cannot be used, and who can change that. */
export const deniedText = (...permissions: ReadonlyArray<Permission>): string =>
  `It needs the permission ${permissions.join(" and ")}. An owner or admin can give it.`
