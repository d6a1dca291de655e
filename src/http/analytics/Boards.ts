import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Boards } from "../../services/analytics/Boards.ts"

export const BoardsHttp = HttpApiBuilder.group(Api, "boards", (handlers) =>
  Effect.map(Boards, (boards) =>
    handlers
      .handle("list", ({ path, urlParams }) => boards.list(path.applicationId, urlParams))
      .handle("create", ({ path, payload }) => boards.create(path.applicationId, payload))
      .handle("get", ({ path }) => boards.get(path.applicationId, path.boardId))
      .handle("update", ({ path, payload }) => boards.update(path.applicationId, path.boardId, payload))
      .handle("remove", ({ path }) => boards.remove(path.applicationId, path.boardId))
  )
)
