import { HttpApi } from "@effect/platform"
import type { Schema } from "effect"
import { Context, Option, SchemaAST } from "effect"
import { Api } from "../../schema/Api.ts"
import type { CredentialKind } from "../../schema/access/Auth.ts"
import { accepted } from "../../schema/access/Auth.ts"
import type { Requirement } from "../../schema/access/RequiredPermission.ts"
import { RequiredPermission } from "../../schema/access/RequiredPermission.ts"
import { RawBody } from "../../schema/RawBody.ts"

export interface Endpoint {
  readonly name: string
  readonly method: string
  readonly path: string
  /** Empty for an endpoint that asks for no credential. */
  readonly kinds: ReadonlyArray<CredentialKind>
  readonly payload: Schema.Schema<unknown, unknown> | undefined
  readonly headers: Schema.Schema<unknown, unknown> | undefined
  readonly urlParams: Schema.Schema<unknown, unknown> | undefined
  /** Asks for the header `environment_id`. */
  readonly inEnvironment: boolean
  readonly rawBody: boolean
  /** The permission that the contract names; undefined where it names none, which a test refuses. */
  readonly requirement: Requirement | undefined
}

const declared = (): ReadonlyArray<Endpoint> => {
  const found: Array<Endpoint> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, group, middleware, mergedAnnotations }) =>
      found.push({
        name: `${group.identifier}.${endpoint.name}`,
        method: endpoint.method,
        path: endpoint.path,
        kinds: [...middleware].flatMap(({ key }) => accepted.get(key) ?? []),
        payload: Option.getOrUndefined(endpoint.payloadSchema) as Endpoint["payload"],
        headers: Option.getOrUndefined(endpoint.headersSchema) as Endpoint["headers"],
        urlParams: Option.getOrUndefined(endpoint.urlParamsSchema) as Endpoint["urlParams"],
        inEnvironment: Option.exists(endpoint.headersSchema, ({ ast }) =>
          SchemaAST.getPropertySignatures(ast).some(({ name }) => name === "environment_id")
        ),
        rawBody: Context.get(mergedAnnotations, RawBody),
        requirement: Option.getOrUndefined(Context.getOption(endpoint.annotations, RequiredPermission))
      })
  })
  return found
}

const all = declared()

/** Every endpoint of the declared API: a new one is in every generated table by itself. */
export const endpoints = (): ReadonlyArray<Endpoint> => all
