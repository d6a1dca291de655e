import { Effect } from "effect"
import { Forbidden, SignUpClosed } from "../../../schema/access/AccessErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import { PasswordSignInOff } from "../../../schema/access/OpenIdErrors.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { emailKey } from "../../domain/access/User.ts"
import { UserRepo } from "../../ports/access/UserRepo.ts"
import { Settings } from "../../ports/operations/Settings.ts"

const message = "Only the owners of this server may: whoever runs it names them with --owner and their e-mail addresses"

const madeByOperator = new SignUpClosed({
  message:
    "Whoever has this address owns the server, and nobody proves an address at the sign-up: the operator makes the account with create-admin"
})

export const passwordsOff = new PasswordSignInOff({
  message:
    "Nobody but owners of this server signs in by password, and these are not the address and password of one: sign in through the provider"
})

/** The people whom the operator has named, for what concerns all organizations at once. */
export class ServerOwners extends Effect.Service<ServerOwners>()("services/access/ServerOwners", {
  effect: Effect.map(Effect.all([Settings, UserRepo]), ([{ oidc, owners }, users]) => {
    const named = new Set(owners.map(emailKey))
    const isOwner = (email: string): boolean => named.has(emailKey(email))

    /** Whether people sign in through the provider alone, but for owners. */
    const isWithoutPasswords = oidc?.only === true

    /** Whether the server's own ways of signing in are open to the address. */
    const hasOwnWays = (email: string): boolean => !isWithoutPasswords || isOwner(email)

    /** Refuses these ways to who has shown who they are. */
    const demandOwnWays = (email: string) => (hasOwnWays(email) ? Effect.void : Effect.fail(passwordsOff))

    /** The caller, who has to be one of them. */
    const caller = Effect.fnUntraced(function* () {
      const person = userOf(yield* Principal)
      return person !== null && isOwner(person.email) ? person : yield* Effect.fail(new Forbidden({ message }))
    })

    /** Refuses an owner's address to whoever signs up, unless that makes the first account of the server. */
    const demandNoOwner = Effect.fnUntraced(function* (email: string) {
      if (isOwner(email) && (yield* users.exists)) return yield* Effect.fail(madeByOperator)
    })

    return { caller, isOwner, isWithoutPasswords, hasOwnWays, demandOwnWays, demandNoOwner } as const
  })
}) {}
