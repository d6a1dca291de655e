import type { DateTime, Effect, Option } from "effect"
import { Context } from "effect"
import type { Identity } from "../../domain/access/OpenId.ts"
import type { Membership } from "../../domain/access/Organization.ts"
import type { IdentityId, MembershipId, UserId } from "../../domain/Ids.ts"

/** Who people are at providers of identities, and which of their memberships came by groups there. */
export class IdentityRepo extends Context.Tag("ports/access/IdentityRepo")<
  IdentityRepo,
  {
    /** None when the issuer's subject has an account already, or the account another subject of the issuer. */
    readonly insert: (identity: Omit<Identity, "id">) => Effect.Effect<Option.Option<Identity>>
    /** `issuer` and `subject` exactly as the provider writes them. */
    readonly find: (issuer: string, subject: string) => Effect.Effect<Option.Option<Identity>>
    /** Notes a sign-in, and the e-mail address that the provider told. */
    readonly noteUse: (id: IdentityId, email: string, at: DateTime.Utc) => Effect.Effect<void>
    /** The identities of the account by id, ascending. */
    readonly listOfUser: (userId: UserId) => Effect.Effect<ReadonlyArray<Identity>>
    /** Removes the identity of the account and answers it; none where the account has no such identity. */
    readonly remove: (userId: UserId, id: IdentityId) => Effect.Effect<Option.Option<Identity>>

    /** Notes that groups gave the membership; again changes nothing. It is forgotten with the membership. */
    readonly markGiven: (id: MembershipId) => Effect.Effect<void>
    /** The memberships of the user that groups gave, by id, ascending. */
    readonly givenTo: (userId: UserId) => Effect.Effect<ReadonlyArray<Membership>>
  }
>() {}
