import type { Permission } from "./Permission.ts"

/** How programs are told which permission their credential lacks, where, and what of. */
export const lackText = (permission: Permission, where: string): string =>
  `This credential lacks ${permission} in ${where}`

/** The same for who looks at a page: people know of no credential. Other texts stay as they are. */
export const lackOfPerson = (message: string): string =>
  message.replace(
    /^This credential lacks (.+?)( in \w+ \d+)?$/,
    "It needs the permission $1. An owner or admin can give it."
  )
