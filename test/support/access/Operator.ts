import { DateTime, Effect, Option, Redacted } from "effect"
import { UserId } from "../../../src/domain/Ids.ts"
import { Passwords } from "../../../src/ports/access/Passwords.ts"
import { Secrets } from "../../../src/ports/access/Secrets.ts"
import { UserRepo } from "../../../src/ports/access/UserRepo.ts"
import { password } from "./Person.ts"

/** The account of that address, as `create-admin` makes it: nobody signs up with the address of an owner of the server. */
export const accountByOperator = Effect.fnUntraced(function* (email: string) {
  const { uuid } = yield* Secrets
  const id = yield* uuid
  const inserted = yield* (yield* UserRepo).insert({
    id: UserId.make(id),
    email,
    name: email.split("@")[0] ?? email,
    passwordHash: yield* (yield* Passwords).hash(Redacted.make(password)),
    externalReference: `usr_${id.replaceAll("-", "")}`,
    motive: "operator",
    createdAt: yield* DateTime.now,
    deletedAt: null
  })
  return Option.getOrThrow(inserted)
})
