import { HttpApi } from "@effect/platform"
import { Option, SchemaAST } from "effect"
import { Api } from "../../schema/Api.ts"

/** An endpoint of the contract as a tool calls it. */
export interface ToolOperation {
  readonly method: string
  /** As it is declared: `/application/:applicationId/players`. */
  readonly path: string
  /** Schemas of what stands in the path, the query and the headers, by name. */
  readonly parameters: ReadonlyMap<string, Parameter>
  readonly payload: SchemaShape | null
}

export interface Parameter {
  readonly place: "path" | "query" | "header"
  readonly ast: SchemaAST.AST
  readonly isOptional: boolean
  /** Whether it may be given several times; a list is JSON in one text otherwise. */
  readonly takesMany: boolean
}

/** A schema of which only its structure is asked. */
export interface SchemaShape {
  readonly ast: SchemaAST.AST
}

const takesMany = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isTupleType(ast) ||
  (SchemaAST.isRefinement(ast) && takesMany(ast.from)) ||
  (SchemaAST.isUnion(ast) && ast.types.some(takesMany))

type Described = Option.Option<{ readonly ast: SchemaAST.AST }>

const parametersIn = (place: Parameter["place"], schema: Described): ReadonlyArray<readonly [string, Parameter]> =>
  Option.match(schema, {
    onNone: () => [],
    onSome: ({ ast }) =>
      SchemaAST.getPropertySignatures(SchemaAST.encodedBoundAST(ast)).map(({ name, type, isOptional }) => [
        String(name),
        { place, ast: type, isOptional, takesMany: takesMany(type) }
      ])
  })

const declared = (): ReadonlyMap<string, ToolOperation> => {
  const found = new Map<string, ToolOperation>()
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ group, endpoint }) =>
      found.set(`${group.identifier}.${endpoint.name}`, {
        method: endpoint.method,
        path: endpoint.path,
        parameters: new Map([
          ...parametersIn("path", endpoint.pathSchema),
          ...parametersIn("query", endpoint.urlParamsSchema),
          ...parametersIn("header", endpoint.headersSchema)
        ]),
        payload: Option.getOrNull(Option.map(endpoint.payloadSchema, ({ ast }) => ({ ast })))
      })
  })
  return found
}

/** Every endpoint by its name in the contract: `queries.insights`. */
export const operations = declared()
