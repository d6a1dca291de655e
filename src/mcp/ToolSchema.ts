import type { SchemaAST } from "effect"
import { JSONSchema, Schema } from "effect"
import { checkOf, problemsOf } from "../../schema/Checks.ts"
import { isTree, type JsonTree } from "../../schema/JsonTree.ts"
import { nearestName } from "../domain/NearestName.ts"
import { tidy } from "../../schema/OpenApiSchemas.ts"
import { operations, type SchemaShape } from "./Operations.ts"
import type { Tool } from "./Tool.ts"

/** The JSON Schema of what a tool takes. */
export interface InputSchema {
  readonly type: "object"
  readonly properties: { readonly [name: string]: JsonTree }
  readonly required: ReadonlyArray<string>
  readonly additionalProperties: false
  readonly $defs: JsonTree
}

const jsonSchemaOf = (ast: SchemaAST.AST): readonly [schema: JsonTree, definitions: JsonTree] => {
  const made: unknown = tidy(JSON.parse(JSON.stringify(JSONSchema.make(Schema.make<unknown, unknown>(ast)))))
  const { $schema: _, $defs, ...schema } = isTree(made) ? made : {}
  return [schema, isTree($defs) ? $defs : {}]
}

/** The schema of the body that a tool takes; null where it takes none. */
export const bodyOf = ({ body, operation }: Tool): SchemaShape | null =>
  body ?? operations.get(operation)?.payload ?? null

const withoutPinned = (schema: JsonTree, pinned: JsonTree): JsonTree => {
  const { properties } = schema
  if (!isTree(properties)) return schema
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in pinned))) }
}

/** A body that refers to a definition is written out, so that what every call sends alike can be left out of it. */
const written = (schema: JsonTree, definitions: JsonTree, pinned: JsonTree): JsonTree => {
  const { $ref } = schema
  const named = typeof $ref === "string" ? definitions[$ref.replace("#/$defs/", "")] : undefined
  return withoutPinned(isTree(named) ? named : schema, pinned)
}

/** What a tool takes, derived from the schemas of the contract. */
export const inputSchemaOf = (tool: Tool): InputSchema => {
  const parameters = [...(operations.get(tool.operation)?.parameters ?? [])]
  const body = tool.bodyName === null ? null : bodyOf(tool)
  const parts = parameters.map(([name, { ast }]) => [name, ...jsonSchemaOf(ast)] as const)
  const [bodySchema, bodyDefinitions] = body === null ? [null, {}] : jsonSchemaOf(body.ast)
  const properties = Object.fromEntries(parts.map(([name, schema]) => [name, schema]))
  const definitions = Object.assign({}, bodyDefinitions, ...parts.map(([, , others]) => others))
  return {
    type: "object",
    properties:
      bodySchema === null || tool.bodyName === null
        ? properties
        : { ...properties, [tool.bodyName]: written(bodySchema, bodyDefinitions, tool.pinned) },
    required: [
      ...parameters.flatMap(([name, { isOptional }]) => (isOptional ? [] : [name])),
      ...(tool.bodyName === null ? [] : [tool.bodyName])
    ],
    additionalProperties: false,
    $defs: definitions
  }
}

const unknownArgument = (name: string, known: ReadonlyArray<string>): string => {
  const near = nearestName(name, known)
  return `${name}: unknown argument${near === undefined ? "" : `, did you mean ${near}?`}`
}

/** Every problem of the arguments, in one sentence; null where there is none. */
export const problemsIn = (tool: Tool, given: JsonTree): string | null => {
  const parameters = [...(operations.get(tool.operation)?.parameters ?? [])]
  const known = [...parameters.map(([name]) => name), ...(tool.bodyName === null ? [] : [tool.bodyName])]
  const body = tool.bodyName === null ? null : bodyOf(tool)
  const sent = tool.bodyName === null ? undefined : given[tool.bodyName]
  const pinned = isTree(sent) ? Object.keys(tool.pinned).filter((name) => name in sent) : []
  const all = [
    ...Object.keys(given)
      .filter((name) => !known.includes(name))
      .map((name) => unknownArgument(name, known)),
    ...parameters
      .filter(([name, { isOptional }]) => !isOptional && given[name] === undefined)
      .map(([name]) => `${name}: missing`),
    ...pinned.map((name) => `${tool.bodyName}.${name}: this tool decides it`),
    ...(tool.bodyName !== null && sent === undefined ? [`${tool.bodyName}: missing`] : []),
    ...(body === null || sent === undefined || tool.bodyName === null
      ? []
      : [problemsOf(checkOf(body, { isStrict: true }), sent, tool.bodyName) ?? []].flat())
  ]
  return all.length === 0 ? null : all.join("; ")
}
