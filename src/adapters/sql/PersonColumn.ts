import { Schema } from "effect"
import { UserId } from "../../domain/Ids.ts"
import { JsonText } from "./Rows.ts"

/** Who did something, by id and the e-mail address of that time, as JSON; null where nobody is known. */
export const PersonColumn = Schema.NullOr(JsonText(Schema.Struct({ id: UserId, email: Schema.String })))
