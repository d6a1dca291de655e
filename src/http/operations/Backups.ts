import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Backups } from "../../services/operations/Backups.ts"

export const BackupsHttp = HttpApiBuilder.group(Api, "backups", (handlers) =>
  Effect.map(Backups, (backups) =>
    handlers
      .handle("list", () => backups.list())
      .handle("create", () => backups.create())
      .handle("drill", ({ path }) => backups.drill(path.backupId))
  )
)
