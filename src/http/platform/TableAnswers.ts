import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import { isObject, type Json } from "../../domain/configuration/Document.ts"
import { listTable } from "../../domain/analytics/table/ListTable.ts"
import type { Table } from "../../domain/analytics/table/Table.ts"
import { acceptedFormat } from "../../domain/analytics/table/TableFormat.ts"
import { TableFiles } from "../../services/analytics/TableFiles.ts"

const accepted = (request: HttpServerRequest.HttpServerRequest) => acceptedFormat(request.headers["accept"] ?? "")

const isList = (value: Json | undefined): value is ReadonlyArray<Json> => Array.isArray(value)

/** Whether an answer is JSON that was written in one piece. */
const textOf = ({ status, body }: HttpServerResponse.HttpServerResponse): string | null =>
  status === 200 && body._tag === "Uint8Array" && body.contentType.startsWith("application/json")
    ? new TextDecoder().decode(body.body)
    : null

/** Answers as tables where the caller prefers them to JSON. */
export class TableAnswers extends Effect.Service<TableAnswers>()("http/platform/TableAnswers", {
  effect: Effect.map(TableFiles, (files) => {
    /** The answer itself, or the table that it is. */
    const asked = <A, E, R>(
      { request }: { readonly request: HttpServerRequest.HttpServerRequest },
      answer: Effect.Effect<A, E, R>,
      table: (answer: A) => Table
    ): Effect.Effect<A | HttpServerResponse.HttpServerResponse, E, R> => {
      const format = accepted(request)
      if (format === null) return answer
      return Effect.map(answer, (given) =>
        HttpServerResponse.stream(files.writeTable(format, table(given)), {
          contentType: files.contentType(format),
          headers: { vary: "accept" }
        })
      )
    }

    /** A list, or a page of one, as a table; any other response as it is. `next-cursor` tells where the list goes on. */
    const list = (
      request: HttpServerRequest.HttpServerRequest,
      response: HttpServerResponse.HttpServerResponse
    ): HttpServerResponse.HttpServerResponse => {
      const format = accepted(request)
      const text = format === null ? null : textOf(response)
      if (format === null || text === null) return response
      const value: Json = JSON.parse(text)
      const items = isObject(value) ? value["items"] : value
      if (!isList(items)) return response
      const cursor = isObject(value) ? value["nextCursor"] : null
      const { etag } = response.headers
      return HttpServerResponse.stream(files.writeTable(format, listTable(items)), {
        contentType: files.contentType(format),
        headers: {
          vary: "accept",
          ...(etag === undefined ? {} : { etag }),
          ...(typeof cursor === "string" ? { "next-cursor": cursor } : {})
        }
      })
    }

    return { asked, list } as const
  })
}) {}
