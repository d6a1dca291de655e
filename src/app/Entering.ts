import { Layer } from "effect"
import { Accounts } from "../services/access/Accounts.ts"
import { GroupMemberships } from "../services/access/GroupMemberships.ts"
import { Identities } from "../services/access/Identities.ts"
import { OpenIdSignIn } from "../services/access/OpenIdSignIn.ts"
import { PasswordMails } from "../services/access/PasswordMails.ts"
import { PasswordResets } from "../services/access/PasswordResets.ts"

/** How people get into their accounts. */
export const Entering = Layer.mergeAll(
  Identities.Default,
  OpenIdSignIn.Default.pipe(Layer.provide(GroupMemberships.Default)),
  PasswordMails.Default,
  PasswordResets.Default
).pipe(Layer.provideMerge(Accounts.Default))
