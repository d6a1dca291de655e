import { HttpApiSchema } from "@effect/platform"
import { Schema } from "effect"
import {
  ApiKeyId,
  ApplicationId,
  BoardId,
  CohortId,
  ConfigurationId,
  DeeplinkId,
  EnvironmentId,
  ExperimentId,
  HeatmapId,
  InvitationId,
  MembershipId,
  OrganizationId,
  QueryId,
  RoleId
} from "../src/domain/Ids.ts"
import { optional, withDefault } from "./Optional.ts"
import { factsOf } from "./Words.ts"
import { text } from "./Text.ts"

const Digits = Schema.String.pipe(
  Schema.pattern(/^[0-9]{1,16}$/, { message: () => "expected a positive whole number" })
)

interface Bounds {
  readonly minimum?: number
  readonly maximum?: number
}

const boundsOf = (facts: Readonly<Record<string, unknown>>): Bounds => {
  const { minimum, maximum } = facts
  return {
    minimum: typeof minimum === "number" ? minimum : 1,
    ...(typeof maximum === "number" ? { maximum } : {})
  }
}

/** A positive integer written in a path, query or header. */
export const numeric = <A extends number, R>(schema: Schema.Schema<A, number, R>, other?: number) => {
  const standard = other === undefined ? {} : { default: other }
  const jsonSchema = { type: "integer", ...boundsOf(factsOf(schema.ast)), ...standard }
  return Schema.transform(Digits.annotations({ jsonSchema }), Schema.Number, {
    strict: true,
    decode: Number,
    encode: String
  }).pipe(Schema.compose(schema))
}

/** The same in a query that may leave it out. */
export const numericOr = <A extends number, R>(schema: Schema.Schema<A, number, R>, standard: NoInfer<A>) =>
  withDefault(numeric(schema, standard), standard)

const Hexadecimal = Schema.String.annotations({ jsonSchema: { type: "string", format: "uuid" } })

/** A UUID in a request: its digits may be capital letters, as some languages write them. */
export const anyCase = <A extends string, R>(schema: Schema.Schema<A, string, R>) =>
  Schema.transform(Hexadecimal, Schema.String, {
    strict: true,
    decode: (written) => written.toLowerCase(),
    encode: (id) => id
  }).pipe(Schema.compose(schema))

export const organizationId = HttpApiSchema.param("organizationId", numeric(OrganizationId))
export const membershipId = HttpApiSchema.param("membershipId", numeric(MembershipId))
export const invitationId = HttpApiSchema.param("invitationId", numeric(InvitationId))
export const roleId = HttpApiSchema.param("roleId", numeric(RoleId))
export const applicationId = HttpApiSchema.param("applicationId", numeric(ApplicationId))
export const environmentId = HttpApiSchema.param("environmentId", numeric(EnvironmentId))
export const apiKeyId = HttpApiSchema.param("apiKeyId", numeric(ApiKeyId))
export const patId = HttpApiSchema.param("patId", numeric(ApiKeyId))
export const cohortId = HttpApiSchema.param("cohortId", numeric(CohortId))
export const configurationId = HttpApiSchema.param("configurationId", numeric(ConfigurationId))
export const experimentId = HttpApiSchema.param("experimentId", numeric(ExperimentId))
export const deeplinkId = HttpApiSchema.param("deeplinkId", anyCase(DeeplinkId))
export const queryId = HttpApiSchema.param("queryId", anyCase(QueryId))
export const boardId = HttpApiSchema.param("boardId", anyCase(BoardId))
export const heatmapId = HttpApiSchema.param("heatmapId", anyCase(HeatmapId))

const environmentHeader = numeric(EnvironmentId).annotations({
  description:
    "The environment asked about. Behind a proxy that drops header names with an underscore, send `environment-id`."
})

export const EnvironmentHeader = Schema.Struct({ environment_id: environmentHeader })
export const OptionalEnvironmentHeader = Schema.Struct({ environment_id: optional(environmentHeader) })

/** Characters of a cursor that holds the longest id, in any script. */
const longestCursor = 2048

/** `?limit=&cursor=` of every list that can grow. */
export const Paging = Schema.Struct({
  limit: numericOr(Schema.Int.pipe(Schema.between(1, 1000)), 100),
  cursor: optional(text(0, longestCursor))
})

/** One page of a list that can grow. */
export const Page = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.Struct({ items: Schema.Array(item), nextCursor: Schema.NullOr(Schema.String) })
