import { Command, HelpDoc, Options, ValidationError } from "@effect/cli"
import { Console, DateTime, Effect, Schema } from "effect"
import { options } from "../../app/Config.ts"
import { OrganizationId } from "../../domain/Ids.ts"
import { personsEmail } from "../Arguments.ts"
import { loaded } from "../Loaded.ts"

const isId = Schema.is(OrganizationId)

const organization = Options.integer("organization").pipe(
  Options.mapEffect((id) =>
    isId(id)
      ? Effect.succeed(id)
      : Effect.fail(ValidationError.invalidValue(HelpDoc.p(`--organization must be an id from 1, and not ${id}`)))
  ),
  Options.withDescription("Id of the organization, as repair and GET /organization tell it")
)

export const MakeOwnerCommand = Command.make(
  "make-owner",
  { ...options, email: personsEmail, organization },
  Effect.fnUntraced(function* ({ email: address, organization: id, ...configuration }) {
    const { makeOwner } = yield* loaded(() => import("../../app/commands/OperatorAccess.ts"))
    const { user, organization: owned, isNew } = yield* makeOwner(configuration, address, id)
    const since = DateTime.formatIsoDateUtc(user.createdAt)
    const who = `${user.email} (${user.name}, whose account was made on ${since})`
    yield* Console.log(
      `${who} ${isNew ? "owns" : "owned already"} organization ${owned.id} (${owned.name})${isNew ? " now" : ""}`
    )
  })
).pipe(
  Command.withDescription("Make a person an owner of an organization that has lost its own; a server may run meanwhile")
)
