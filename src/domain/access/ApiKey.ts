import { DateTime, Schema } from "effect"
import { minuteMillis } from "../Durations.ts"
import type { ApiKeyId, ApplicationId, EnvironmentId, OrganizationId, UserId } from "../Ids.ts"
import type { Permission } from "./Permission.ts"

export const KeyType = Schema.Literal("public", "secret", "personal")
export type KeyType = typeof KeyType.Type

/** A public, secret or personal key as it is stored; of its secret, only the hash. */
export interface ApiKey {
  readonly id: ApiKeyId
  readonly organizationId: OrganizationId
  readonly type: KeyType
  /** The owner of a personal access token; null for the organization's keys. */
  readonly userId: UserId | null
  readonly name: string
  readonly description: string | null
  readonly allProjects: boolean
  readonly applicationIds: ReadonlyArray<ApplicationId>
  readonly environmentIds: ReadonlyArray<EnvironmentId>
  readonly permissions: ReadonlyArray<Permission>
  readonly keyPrefix: string
  readonly lastFour: string
  readonly secretHash: string
  /** The hash of the secret before the last rotation; null where that one ended with the rotation. */
  readonly previousSecretHash: string | null
  /** Until when the previous secret works as well; null where there is none. */
  readonly previousValidUntil: DateTime.Utc | null
  readonly expiresAt: DateTime.Utc | null
  readonly lastUsedAt: DateTime.Utc | null
  readonly createdAt: DateTime.Utc
  readonly createdBy: { readonly id: UserId; readonly email: string } | null
  readonly deactivatedAt: DateTime.Utc | null
}

export type NewApiKey = Omit<ApiKey, "id">

/** Whether the key works at `now`: it was not deactivated and has not expired. */
export const isUsable = (key: ApiKey, now: DateTime.Utc): boolean =>
  key.deactivatedAt === null && (key.expiresAt === null || DateTime.lessThan(now, key.expiresAt))

/** How often the last use of a key or session is recorded, in milliseconds. */
export const useRecordedEvery = minuteMillis

/**
 * The key as whoever shows the secret of this hash may use it: with the secret before the last rotation, it ends when that secret does.
 */
export const presentedWith = (key: ApiKey, secretHash: string): ApiKey => {
  if (secretHash !== key.previousSecretHash || key.previousValidUntil === null) return key
  const ends = key.expiresAt === null ? key.previousValidUntil : DateTime.min(key.expiresAt, key.previousValidUntil)
  return { ...key, secretHash, expiresAt: ends }
}

type Previous = Pick<ApiKey, "previousSecretHash" | "previousValidUntil">

/** A key of which only one secret works. */
export const withoutPrevious: Previous = { previousSecretHash: null, previousValidUntil: null }

/** The previous secret of a key that is rotated at `now`, kept for `overlapSeconds`; an older previous secret ends. */
export const keptSecret = (key: ApiKey, now: DateTime.Utc, overlapSeconds: number): Previous =>
  overlapSeconds === 0
    ? withoutPrevious
    : { previousSecretHash: key.secretHash, previousValidUntil: DateTime.add(now, { seconds: overlapSeconds }) }

/** Whether the project is in the key's scope. */
export const coversApplication = (key: ApiKey, applicationId: ApplicationId): boolean =>
  key.allProjects || key.applicationIds.includes(applicationId)
