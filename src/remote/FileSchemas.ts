import { Either, Schema } from "effect"
import { QueryDefinition } from "../../schema/analytics/SavedQueries.ts"
import { BoardDefinition } from "../../schema/analytics/Boards.ts"
import { RoleDefinition } from "../../schema/access/Roles.ts"
import { CohortDefinition } from "../../schema/cohorts/CohortDefinition.ts"
import { CreateConfiguration } from "../../schema/configuration/ConfigurationRecord.ts"
import { JsonObject } from "../../schema/Json.ts"
import { optional, withDefault } from "../../schema/Optional.ts"
import { Description, Title } from "../../schema/Text.ts"
import type { ManagedKind } from "./ManagedKind.ts"

const described = { name: Title, description: optional(Schema.NullOr(Description)) }

/** The members of a static cohort stay at the server: they are data of players. */
const StaticCohortFile = Schema.Struct({ ...described, kind: Schema.Literal("static") })

const DynamicCohortFile = Schema.Struct({
  ...described,
  kind: withDefault(Schema.Literal("dynamic"), "dynamic"),
  definition: CohortDefinition
})

const CohortFile = Schema.Union(StaticCohortFile, DynamicCohortFile)

const QueryFile = Schema.extend(Schema.Struct(described), QueryDefinition)

/** What a file of each kind holds, with ids in the place of names. */
export const fileSchemas = {
  configurations: CreateConfiguration,
  cohorts: CohortFile,
  queries: QueryFile,
  boards: BoardDefinition,
  roles: RoleDefinition
} as const

/** The fields that a file has even where they are empty; any other is left out then. */
const kept: Record<ManagedKind, ReadonlyArray<string>> = {
  configurations: ["name", "configuration"],
  cohorts: ["name", "kind", "definition"],
  queries: ["name", "queryType", "spec"],
  boards: ["name", "tiles"],
  roles: ["name", "permissions"]
}

const isEmpty = (value: unknown) =>
  value === null || value === false || (typeof value === "object" && Object.keys(value).length === 0)

/** The fields without those that are empty and may be left out. */
export const withoutEmpty = <A>(kind: ManagedKind, fields: Readonly<Record<string, A>>): Record<string, A> =>
  Object.fromEntries(Object.entries(fields).filter(([key, value]) => kept[kind].includes(key) || !isEmpty(value)))

const reader = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })
  const encode = Schema.encodeEither(schema)
  const document = Schema.decodeUnknownEither(JsonObject)
  return (value: unknown) => decode(value).pipe(Either.flatMap(encode), Either.flatMap(document))
}

const isStatic = Schema.is(Schema.Struct({ kind: Schema.Literal("static") }))

const [readStatic, readDynamic] = [reader(StaticCohortFile), reader(DynamicCohortFile)]

/** Reads the fields of a file, with ids in the place of names, and fills in what they leave out. */
export const readers = {
  configurations: reader(fileSchemas.configurations),
  // Of a file that is wrong, what the other kind of cohort asks for is not said as well.
  cohorts: (value: unknown) => (isStatic(value) ? readStatic(value) : readDynamic(value)),
  queries: reader(fileSchemas.queries),
  boards: reader(fileSchemas.boards),
  roles: reader(fileSchemas.roles)
}
