import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { BoardId, QueryId } from "../../src/domain/Ids.ts"
import { ApplicationNotFound, Forbidden } from "../access/AccessErrors.ts"
import { SessionOrServer } from "../access/Auth.ts"
import { Creator } from "../access/KeyRecord.ts"
import { requires } from "../access/RequiredPermission.ts"
import { example } from "../Example.ts"
import { basedOn } from "../BasedOn.ts"
import { oneOf, optional, withDefault } from "../Optional.ts"
import { applicationId, boardId, Page, Paging } from "../Parameters.ts"
import { Description, Title } from "../Text.ts"
import { BoardChanged, BoardLimitReached, BoardNotFound, ReferenceInvalid } from "./AnalyticsErrors.ts"
import { QueryTime } from "./QueryTime.ts"

const columns = 12
const mostTiles = 60

const TileDisplay = oneOf("line", "area", "bars", "totalBars", "number", "table")

const between = (least: number, most: number) => Schema.Int.pipe(Schema.between(least, most))

const place = {
  queryId: QueryId,
  x: between(0, columns - 1),
  y: between(0, 999),
  w: between(1, columns),
  h: between(1, 24)
}

export const TileRecord = Schema.Struct({
  ...place,
  display: Schema.NullOr(TileDisplay),
  time: Schema.NullOr(QueryTime)
}).annotations({ identifier: "Tile" })

export const BoardRecord = Schema.Struct({
  id: BoardId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  tiles: Schema.Array(TileRecord),
  time: Schema.NullOr(QueryTime),
  pinned: Schema.Boolean,
  createdBy: Schema.NullOr(Creator),
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
}).annotations({ identifier: "Board" })
export type BoardRecord = typeof BoardRecord.Type

export const BoardPage = Page(BoardRecord).annotations({ identifier: "BoardPage" })
export type BoardPage = typeof BoardPage.Type

export const TileDefinition = Schema.Struct({
  ...place,
  display: withDefault(Schema.NullOr(TileDisplay), null),
  time: withDefault(Schema.NullOr(QueryTime), null)
}).annotations({
  identifier: "TileDefinition",
  description: `A saved query at a place of the board, which has ${columns} columns: x + w is at most ${columns}`
})
export type TileDefinition = typeof TileDefinition.Type

const definition = {
  name: Title,
  description: optional(Schema.NullOr(Description)),
  tiles: withDefault(Schema.Array(TileDefinition).pipe(Schema.maxItems(mostTiles)), []),
  time: withDefault(Schema.NullOr(QueryTime), null),
  pinned: withDefault(Schema.Boolean, false)
}

export const BoardDefinition = Schema.Struct(definition)
  .annotations({
    identifier: "BoardDefinition",
    description:
      "`time` replaces that of every query whose tile has none of its own. Pinning a board unpins the others."
  })
  .pipe(
    example({
      name: "Every morning",
      tiles: [{ queryId: "3f2b8a56-3c1e-4c55-9a44-0c2f5f3f8a10", x: 0, y: 0, w: 6, h: 4, display: "line" }],
      time: { step: "day", relative: { step: "day", value: 14 } },
      pinned: true
    })
  )
export type BoardDefinition = typeof BoardDefinition.Type

export const BoardChange = Schema.Struct({
  ...definition,
  basedOn
})
  .annotations({ identifier: "BoardChange" })
  .pipe(example({ name: "Every morning", pinned: true }))
export type BoardChange = typeof BoardChange.Type

export class BoardsGroup extends HttpApiGroup.make("boards")
  .add(
    HttpApiEndpoint.get("list")`/application/${applicationId}/boards`
      .setUrlParams(Paging)
      .addSuccess(BoardPage)
      .annotateContext(requires("analytics:read", "project"))
      .annotate(OpenApi.Summary, "Boards of the project")
  )
  .add(
    HttpApiEndpoint.post("create")`/application/${applicationId}/boards`
      .setPayload(BoardDefinition)
      .addSuccess(BoardRecord, { status: 201 })
      .addError(BoardLimitReached)
      .addError(ReferenceInvalid)
      .annotateContext(
        requires("queries:write", "project", "To pin it, a token or key must cover every environment of the project.")
      )
      .annotate(OpenApi.Summary, "Create a board")
  )
  .add(
    HttpApiEndpoint.get("get")`/application/${applicationId}/boards/${boardId}`
      .addSuccess(BoardRecord)
      .addError(BoardNotFound)
      .annotateContext(requires("analytics:read", "project"))
      .annotate(OpenApi.Summary, "A board")
  )
  .add(
    HttpApiEndpoint.put("update")`/application/${applicationId}/boards/${boardId}`
      .setPayload(BoardChange)
      .addSuccess(BoardRecord)
      .addError(BoardChanged)
      .addError(BoardNotFound)
      .addError(ReferenceInvalid)
      .annotateContext(requires("queries:write", "environments"))
      .annotate(OpenApi.Summary, "Replace a board")
  )
  .add(
    HttpApiEndpoint.del("remove")`/application/${applicationId}/boards/${boardId}`
      .addSuccess(HttpApiSchema.NoContent)
      .addError(BoardNotFound)
      .annotateContext(requires("queries:write", "environments"))
      .annotate(OpenApi.Summary, "Delete a board; its queries stay")
  )
  .addError(Forbidden)
  .addError(ApplicationNotFound)
  .middleware(SessionOrServer)
  .annotate(OpenApi.Title, "Boards")
  .annotate(OpenApi.Description, "Pages of saved queries.") {}
