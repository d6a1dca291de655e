import { statSync } from "node:fs"

/** Device and inode, which tell a file from a later one of the same path; null where there is no file. */
export const identityOf = (file: string): string | null => {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`
}
