import { Layer } from "effect"
import { AccountRescue } from "../services/access/AccountRescue.ts"
import { Accounts } from "../services/access/Accounts.ts"
import { GroupMemberships } from "../services/access/GroupMemberships.ts"
import { Identities } from "../services/access/Identities.ts"
import { NewPasswords } from "../services/access/passwords/NewPasswords.ts"
import { OpenIdSignIn } from "../services/access/OpenIdSignIn.ts"
import { OwnAccount } from "../services/access/OwnAccount.ts"
import { Passkeys } from "../services/access/passkeys/Passkeys.ts"
import { PasskeySignIns } from "../services/access/passkeys/PasskeySignIns.ts"
import { PasswordCheck } from "../services/access/passwords/PasswordCheck.ts"
import { PasswordMails } from "../services/access/passwords/PasswordMails.ts"
import { PasswordResets } from "../services/access/passwords/PasswordResets.ts"
import { PersonalTokens } from "../services/access/PersonalTokens.ts"
import { SecondFactorCheck } from "../services/access/SecondFactorCheck.ts"
import { SecondFactorDemand } from "../services/access/SecondFactorDemand.ts"
import { SecondFactors } from "../services/access/SecondFactors.ts"
import { ServerOwners } from "../services/access/ServerOwners.ts"
import { Users } from "../services/access/Users.ts"

/** How people get into their accounts, and what they do with them. */
export const AccountServices = Layer.mergeAll(
  Identities.Default,
  PasskeySignIns.Default.pipe(Layer.provideMerge(Passkeys.Default)),
  OpenIdSignIn.Default.pipe(Layer.provide(GroupMemberships.Default)),
  PasswordMails.Default,
  PasswordResets.Default,
  PersonalTokens.Default.pipe(Layer.provide(SecondFactorDemand.Default)),
  SecondFactors.Default,
  Users.Default
).pipe(
  Layer.provideMerge(Accounts.Default),
  Layer.provide(AccountRescue.Default),
  Layer.provideMerge(NewPasswords.Default),
  Layer.provide(SecondFactorCheck.Default),
  Layer.provide(OwnAccount.Default),
  Layer.provide(ServerOwners.Default),
  Layer.provideMerge(PasswordCheck.Default)
)
