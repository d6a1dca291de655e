import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import { loaded } from "./Loaded.ts"

const contract = Effect.all([
  loaded(() => import("@effect/platform/OpenApi")),
  loaded(() => import("../../schema/Api.ts"))
])

export const OpenApiCommand = Command.make("openapi", {}, () =>
  Effect.flatMap(contract, ([{ fromApi }, { Api }]) => Console.log(JSON.stringify(fromApi(Api), null, 2)))
).pipe(Command.withDescription("Print the OpenAPI document"))
