import { Effect } from "effect"
import { Forbidden } from "../../../schema/access/AccessErrors.ts"
import { Principal } from "../../../schema/access/Auth.ts"
import { userOf } from "../../domain/access/Principal.ts"
import { emailKey } from "../../domain/access/User.ts"
import { Settings } from "../../ports/operations/Settings.ts"

const message = "Only the owners of this server may: whoever runs it names them with --owner and their e-mail addresses"

/** The people whom the operator has named, for what concerns all organizations at once. */
export class ServerOwners extends Effect.Service<ServerOwners>()("services/access/ServerOwners", {
  effect: Effect.map(Settings, ({ owners }) => {
    const named = new Set(owners.map(emailKey))

    /** The caller, who has to be one of them. */
    const caller = Effect.fnUntraced(function* () {
      const person = userOf(yield* Principal)
      return person !== null && named.has(emailKey(person.email))
        ? person
        : yield* Effect.fail(new Forbidden({ message }))
    })

    return { caller, isOwner: (email: string) => named.has(emailKey(email)) } as const
  })
}) {}
