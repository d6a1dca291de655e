import { Effect } from "effect"
import type { Shape } from "../domain/configuration/Shape.ts"
import { shapeOf } from "../domain/configuration/Shape.ts"
import type { TypeLanguage } from "../domain/configuration/TypeDeclarations.ts"
import { typeDeclarations } from "../domain/configuration/TypeDeclarations.ts"
import { connect, type Target } from "./Connection.ts"
import { explained } from "./Refused.ts"

const shapes: Record<"string" | "number" | "boolean" | "array", Shape> = {
  string: { kind: "string" },
  number: { kind: "number" },
  boolean: { kind: "boolean" },
  array: { kind: "list", item: { kind: "scalar" } }
}

/** Types of the configurations, by schema and document, and of the arguments of each marker type. */
export const gameTypes = Effect.fnUntraced(function* (target: Target, language: TypeLanguage) {
  const { client, application, environment } = yield* connect(target)
  const where = { path: { applicationId: application.id }, headers: { environment_id: environment.id } }
  const configurations = yield* Effect.mapError(
    client.configurations.list({ ...where, urlParams: { include: "configuration" } }),
    explained("Configurations")
  )
  const markers = yield* Effect.mapError(client.markers.types(where), explained("Marker types"))
  const fields = yield* Effect.mapError(
    client.markers.arguments({ ...where, urlParams: {} }),
    explained("Arguments of markers")
  )
  return typeDeclarations(language, [
    ...configurations.map(({ name, schema, configuration = {} }) => {
      const shape = shapeOf(schema, configuration)
      return { name, shape: shape.kind === "object" ? shape : { kind: "object" as const, fields: [] } }
    }),
    ...markers
      .filter(({ status }) => status !== "hidden")
      .map(({ name }) => ({
        name: `${name} marker`,
        shape: {
          kind: "object" as const,
          fields: fields
            .filter(({ markerTypes }) => markerTypes.includes(name))
            .map((field) => ({ key: field.name, shape: shapes[field.dataType], isOptional: true }))
        }
      }))
  ])
})
