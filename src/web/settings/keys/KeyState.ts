import type { Key } from "../AccessQueries.ts"

/** Whether the key has expired. */
export const hasEnded = ({ expiresAt }: Pick<Key, "expiresAt">): boolean =>
  expiresAt !== null && Date.parse(expiresAt) <= Date.now()

/** Until when the secret before the last rotation works; null where none does. The server leaves the field out then. */
export const overlapEnd = ({ previousValidUntil }: Pick<Key, "previousValidUntil">): string | null =>
  typeof previousValidUntil === "string" && Date.parse(previousValidUntil) > Date.now() ? previousValidUntil : null

/** Whether the key opens something. */
export const works = (key: Pick<Key, "expiresAt" | "deactivatedAt">): boolean =>
  key.deactivatedAt === null && !hasEnded(key)
