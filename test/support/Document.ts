import { OpenApi } from "@effect/platform"
import { Api } from "../../schema/Api.ts"

export interface Media {
  readonly schema: object
  readonly example?: unknown
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly schema: { readonly type?: string; readonly maximum?: number; readonly default?: number }
}

export interface Operation {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly "x-permission": { readonly permission: string; readonly also?: ReadonlyArray<string> }
  readonly security: ReadonlyArray<Record<string, ReadonlyArray<string>>>
  readonly parameters: ReadonlyArray<Parameter>
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: object }>>
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> }
}

/** The OpenAPI document, as a client reads it. */
export const text = JSON.stringify(OpenApi.fromApi(Api))

export const document = JSON.parse(text) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly "x-tagGroups": ReadonlyArray<{ readonly name: string; readonly tags: ReadonlyArray<string> }>
}

export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
)

export const operationOf = (name: string): Operation =>
  operations.find(({ operation }) => operation.operationId === name)!.operation

/** The media types of an operation's body, with what the document says of each. */
export const mediaOf = ({ requestBody }: Operation): ReadonlyArray<readonly [type: string, media: Media]> =>
  Object.entries(requestBody?.content ?? {})
