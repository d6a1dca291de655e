import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { ApiKey, NewApiKey } from "../../domain/access/ApiKey.ts"
import type { ApiKeyId, OrganizationId, UserId } from "../../domain/Ids.ts"

/** Public and secret keys of organizations, and personal access tokens of users. */
export class CredentialRepo extends Context.Tag("ports/access/CredentialRepo")<
  CredentialRepo,
  {
    readonly insert: (key: NewApiKey) => Effect.Effect<ApiKey>
    /** Overwrites the key of that id, whatever its type. */
    readonly update: (key: ApiKey) => Effect.Effect<ApiKey>
    /** Records that the key was used; nothing else of it changes. */
    readonly touch: (id: ApiKeyId, lastUsedAt: DateTime.Utc) => Effect.Effect<void>
    /** A public or secret key of the organization. */
    readonly find: (organizationId: OrganizationId, id: ApiKeyId) => Effect.Effect<Option.Option<ApiKey>>
    /** A personal access token of the user. */
    readonly findPersonal: (userId: UserId, id: ApiKeyId) => Effect.Effect<Option.Option<ApiKey>>
    /** The key of which this is the hash of the secret or of the previous secret, whether it still works or not. */
    readonly findBySecretHash: (hash: string) => Effect.Effect<Option.Option<ApiKey>>
    /** Public and secret keys of the organization, by id. */
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Personal access tokens of the user, by id. */
    readonly listPersonal: (userId: UserId) => Effect.Effect<ReadonlyArray<ApiKey>>
    /** Nothing tells of the key any more but the log of changes. */
    readonly remove: (id: ApiKeyId) => Effect.Effect<void>
  }
>() {}
