import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { whereOf } from "../Address.ts"
import { Notes } from "../../services/analytics/Notes.ts"

export const NotesHttp = HttpApiBuilder.group(Api, "notes", (handlers) =>
  Effect.map(Notes, (notes) => handlers.handle("list", (request) => notes.list(whereOf(request), request.urlParams)))
)
