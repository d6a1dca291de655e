import { Option, Schema } from "effect"
import { KeyType } from "../../src/domain/access/ApiKey.ts"
import { ExpiresIn } from "../../src/domain/access/Expiry.ts"
import { Permission } from "../../src/domain/access/Permission.ts"
import { ApiKeyId, ApplicationId, EnvironmentId, OrganizationId, UserId } from "../../src/domain/Ids.ts"
import { elsewhere } from "../Elsewhere.ts"
import { optional, withDefault } from "../Optional.ts"
import { Description, KnownEmail, visibleText } from "../Text.ts"
import { example } from "../Example.ts"

export const Creator = Schema.Struct({ id: UserId, email: KnownEmail }).annotations({ identifier: "Creator" })
export type Creator = typeof Creator.Type

/** A public, secret or personal key without its secret. */
export const ApiKeyRecord = Schema.Struct({
  id: ApiKeyId,
  organizationId: OrganizationId,
  type: KeyType,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  allProjects: Schema.Boolean,
  applicationIds: Schema.Array(ApplicationId),
  environmentIds: Schema.Array(EnvironmentId),
  permissions: Schema.Array(Permission),
  keyPrefix: Schema.String,
  lastFour: Schema.String,
  expiresAt: Schema.NullOr(Schema.DateTimeUtc),
  lastUsedAt: Schema.NullOr(Schema.DateTimeUtc),
  createdAt: Schema.DateTimeUtc,
  createdBy: Schema.NullOr(Creator),
  deactivatedAt: Schema.NullOr(Schema.DateTimeUtc),
  /** The specification lists every field of a record; this one is there only after a rotation with an overlap. */
  previousValidUntil: Schema.optionalToRequired(
    Schema.DateTimeUtc.annotations({
      description: "Until when the secret before the last rotation works as well, unless the key ends earlier"
    }),
    Schema.NullOr(Schema.DateTimeUtcFromSelf),
    { decode: Option.getOrNull, encode: Option.fromNullable }
  )
}).annotations({ identifier: "ApiKeyRecord" })
export type ApiKeyRecord = typeof ApiKeyRecord.Type

/** Answer of create and rotate: the one time the secret is shown. */
export const ApiKeyWithToken = Schema.Struct({ ...ApiKeyRecord.fields, token: Schema.String }).annotations({
  identifier: "ApiKeyWithToken"
})
export type ApiKeyWithToken = typeof ApiKeyWithToken.Type

export const ProjectScope = Schema.Union(
  Schema.Struct({ allProjects: Schema.Literal(true) }).annotations(
    elsewhere({ applicationIds: "name projects with allProjects false only" })
  ),
  Schema.Struct({ allProjects: Schema.Literal(false), applicationIds: Schema.NonEmptyArray(ApplicationId) })
).annotations({ identifier: "ProjectScope" })
export type ProjectScope = typeof ProjectScope.Type

const KeyName = visibleText(3, 100)

/** What every new key says of itself. */
export const newKeyFields = {
  name: KeyName,
  description: optional(Description),
  environmentIds: Schema.NonEmptyArray(EnvironmentId),
  permissions: withDefault(
    Schema.Array(Permission).annotations({
      description:
        "What the key may do. Empty or left out, it holds its type's default: sdk:ingest and sdk:read for a public key, nothing for a secret key or a token. A public key may list sdk:ingest, sdk:read and queries:write (definitions under /sdk/v1/heatmaps); other permissions are refused with SCOPE_INVALID."
    }),
    []
  ),
  expiresIn: withDefault(ExpiresIn, "never")
}

/** The longest time in seconds for which a previous secret may go on working: 30 days. */
const maxOverlap = 2_592_000

export const KeyRotation = Schema.Struct({
  expiresIn: optional(ExpiresIn),
  overlap: withDefault(
    Schema.Int.pipe(Schema.between(0, maxOverlap)).annotations({
      description:
        "Seconds for which the old secret goes on working beside the new one, at most 30 days. A secret before the old one ends at once, so at most two work. Deactivating the key, or its expiry, ends both."
    }),
    0
  )
})
  .annotations({
    identifier: "KeyRotation"
  })
  .pipe(example({ expiresIn: "1y", overlap: 86_400 }))
export type KeyRotation = typeof KeyRotation.Type

export const PermissionsChange = Schema.Struct({ permissions: Schema.Array(Permission) })
  .annotations({
    identifier: "PermissionsChange"
  })
  .pipe(example({ permissions: ["sdk:ingest", "sdk:read", "queries:write"] }))
export type PermissionsChange = typeof PermissionsChange.Type

export const EnvironmentsChange = Schema.Struct({
  environmentIds: Schema.NonEmptyArray(EnvironmentId)
})
  .annotations({ identifier: "EnvironmentsChange" })
  .pipe(example({ environmentIds: [1, 2] }))
export type EnvironmentsChange = typeof EnvironmentsChange.Type

export const ProjectScopeChange = Schema.Struct({
  allProjects: optional(Schema.Boolean),
  applicationIds: optional(Schema.Array(ApplicationId))
})
  .pipe(
    Schema.filter(({ allProjects, applicationIds }) =>
      allProjects === true && applicationIds !== undefined && applicationIds.length > 0
        ? { path: ["applicationIds"], message: "name projects with allProjects false only" }
        : undefined
    )
  )
  .annotations({ identifier: "ProjectScopeChange" })
  .pipe(example({ applicationIds: [1] }))
export type ProjectScopeChange = typeof ProjectScopeChange.Type

/** A change of a key. Whatever is left out stays as it is. */
export const KeyChange = Schema.Struct({
  name: optional(KeyName),
  description: optional(Schema.NullOr(Description)),
  projectScope: optional(
    ProjectScope.annotations({
      description: "Every environment of the key must be of these projects: name others with it where that is needed"
    })
  ),
  environmentIds: optional(Schema.NonEmptyArray(EnvironmentId)),
  permissions: optional(
    Schema.Array(Permission).annotations({
      description:
        "All that the key may do from now on. Empty, it holds its type's default: sdk:ingest and sdk:read for a public key, nothing for a secret key or a token."
    })
  )
})
  .annotations({ identifier: "KeyChange" })
  .pipe(example({ name: "Roblox client", permissions: ["sdk:ingest", "sdk:read"] }))
export type KeyChange = typeof KeyChange.Type
