import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { Forbidden } from "../access/AccessErrors.ts"
import { SessionOnly } from "../access/Auth.ts"
import { requiresNone } from "../access/RequiredPermission.ts"
import { Readiness, ReadinessProblem } from "./System.ts"

export const ServerStatus = Schema.Struct({
  version: Schema.String,
  status: Readiness.fields.status,
  problems: Schema.Array(ReadinessProblem).annotations({ description: "What `GET /ready` names" }),
  alerts: Schema.Array(
    Schema.Struct({
      key: Schema.String,
      name: Schema.String,
      text: Schema.String,
      since: Schema.DateTimeUtc
    }).annotations({ identifier: "ServerAlert" })
  ).annotations({ description: "What is not as it should be, and of which the owners were told" }),
  freeBytes: Schema.NullOr(Schema.Number).annotations({
    description: "Bytes of disk that are free; null where that is not known"
  }),
  files: Schema.Array(Schema.Struct({ name: Schema.String, bytes: Schema.Number })),
  requests: Schema.Struct({
    answered: Schema.Int,
    failed: Schema.Int.annotations({ description: "Answers with a status of 500 or more" })
  }).annotations({ description: "Of the last five minutes, as far as this process looked" }),
  mailsTo: Schema.Array(Schema.String).annotations({
    description: "Who is told by mail; empty where the server sends none"
  })
}).annotations({ identifier: "ServerStatus" })
export type ServerStatus = typeof ServerStatus.Type

export class ServerGroup extends HttpApiGroup.make("server")
  .add(
    HttpApiEndpoint.get("status", "/server-status")
      .addSuccess(ServerStatus)
      .addError(Forbidden)
      .middleware(SessionOnly)
      .annotateContext(requiresNone("Only people whom the server's setting --owner names may."))
      .annotate(OpenApi.Summary, "How the process that answers is, and what its owners were told")
  )
  .annotate(OpenApi.Title, "Server")
  .annotate(OpenApi.Description, "The state of the server, for the people who own it.") {}
