import type { Permission } from "./Permission.ts"

/** How programs are told which permission their credential lacks, where, and what of. */
export const lackText = (permission: Permission, where: string): string =>
  `This credential lacks ${permission} in ${where}`

const lack = /^This credential lacks (\S+) in (?:organization|application) (\d+)(, of .*)?$/

/** The same for who looks at a page, which says nothing of credentials and applications. Other texts stay as they are. */
export const lackOfPerson = (message: string): string =>
  message.replace(
    lack,
    (_, permission: string, id: string, rest?: string) =>
      `It needs the permission ${permission}${rest === undefined ? "" : ` in project ${id}${rest}`}. An owner or admin can give it.`
  )
