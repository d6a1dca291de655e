import { Either, ParseResult, Schema } from "effect"
import * as Context from "../../src/domain/experiments/Context.ts"
import { ConfigurationId, ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { AssignmentMode, Changeset, UnitType } from "./ExperimentRecord.ts"

const described = {
  id: ExperimentId,
  name: Schema.String,
  unitType: UnitType,
  assignmentMode: AssignmentMode,
  baseConfigurationId: ConfigurationId,
  autoAssignment: Schema.Boolean,
  permanentEnrollment: Schema.Boolean,
  requiredProperties: Schema.Array(Schema.String),
  startsAt: Schema.DateTimeUtc,
  endsAt: Schema.NullOr(Schema.DateTimeUtc)
}

const group = {
  id: ExperimentGroupId,
  label: Schema.String,
  weight: Schema.NullOr(Schema.Int),
  ordinal: Schema.Int
}

/** What a game needs to know of an experiment. The weight is null where groups take turns. */
export const ExperimentDescriptor = Schema.Struct({
  ...described,
  groups: Schema.Array(Schema.Struct(group))
}).annotations({ identifier: "ExperimentDescriptor" })
export type ExperimentDescriptor = typeof ExperimentDescriptor.Type

export const ActiveExperiment = Schema.Struct({
  ...described,
  groups: Schema.Array(Schema.Struct({ ...group, changeset: Changeset }))
}).annotations({ identifier: "ActiveExperiment" })
export type ActiveExperiment = typeof ActiveExperiment.Type

const isRecord = (value: unknown): value is Context.ContextSections =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const problems: Record<Context.ContextFailure["reason"], string> = {
  TooManyProperties: "expected at most 100 properties",
  SectionInvalid: "expected an object of properties",
  NameInvalid: "expected a name of 1 to 128 characters",
  ValueInvalid: "expected a text, number, boolean, null, or up to 100 of one of these types"
}

const scalars = ["string", "number", "boolean"].map((type) => ({ type }))

const contextValue = {
  anyOf: [...scalars, { type: "null" }, ...scalars.map((items) => ({ type: "array", items, maxItems: 100 }))]
}

const section = { type: "object", additionalProperties: contextValue }

/** What a game says of a unit, in sections: `{"properties": {"level": 3}, "roblox": {"device": "pc"}}`. */
const ContextSections = Schema.declare(isRecord, {
  identifier: "UnitContext",
  description:
    "What the game says of the unit, in sections. Targeting names the full path: `properties.level`, `roblox.device`. At most 100 properties in all.",
  message: () => "expected an object of sections",
  jsonSchema: {
    type: "object",
    properties: { schemaVersion: { type: "integer", const: 1 }, properties: section, roblox: section },
    patternProperties: { "^(?!(schemaVersion|properties|roblox)$)": section },
    additionalProperties: true
  },
  arbitrary: () => (fc) =>
    fc.record({
      schemaVersion: fc.constant(1),
      properties: fc.dictionary(
        fc.string({ minLength: 1, maxLength: 20 }),
        fc.oneof(fc.string(), fc.integer(), fc.boolean())
      )
    })
})

const DecodedContext = Schema.declare(
  (value: unknown): value is { readonly properties: Context.Context } =>
    isRecord(value) && isRecord(value["properties"]),
  {
    arbitrary: () => (fc) =>
      fc.record({ properties: fc.dictionary(fc.constantFrom("properties.level", "roblox.device"), fc.integer()) })
  }
)

/** The context of a unit; decoded, all its properties by full path. A unit of a bulk request may leave `schemaVersion` out. */
export const UnitContext = Schema.transformOrFail(ContextSections, DecodedContext, {
  strict: true,
  decode: ({ schemaVersion = 1, ...sections }, _, ast) =>
    schemaVersion === 1
      ? Either.mapBoth(Context.flatten(sections), {
          onLeft: ({ reason, name }) =>
            new ParseResult.Type(ast, sections, name === null ? problems[reason] : `${name}: ${problems[reason]}`),
          onRight: (properties) => ({ properties })
        })
      : Either.left(new ParseResult.Type(ast, schemaVersion, "schemaVersion: expected 1")),
  encode: ({ properties }) => Either.right({ schemaVersion: 1, ...Context.sectionsOf(properties) })
})
export type UnitContext = typeof UnitContext.Type
