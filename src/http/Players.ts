import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const PlayersHttp = HttpApiBuilder.group(Api, "players", (handlers) =>
  handlers.handle("get", notImplemented).handle("export", notImplemented).handle("erase", notImplemented)
)
