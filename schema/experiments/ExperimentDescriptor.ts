import { Either, Schema } from "effect"
import * as Context from "../../src/domain/experiments/Context.ts"
import { ConfigurationId, ExperimentGroupId, ExperimentId } from "../../src/domain/Ids.ts"
import { AssignmentMode, Changeset, UnitType } from "./ExperimentRecord.ts"
import { optional } from "../Optional.ts"

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

const isContext = (value: unknown): value is Context.Context =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Either.isRight(Context.validate(Object.fromEntries(Object.entries(value))))

/** Up to 100 properties of a unit, named as in `properties.level`, `roblox.country`, `unit.isNewUser`. */
export const ContextProperties = Schema.declare(isContext, {
  identifier: "ContextProperties",
  message: () =>
    "expected at most 100 properties, each named by 1 to 128 characters: a scalar, null or up to 100 scalars of one type",
  jsonSchema: { type: "object", maxProperties: 100 },
  arbitrary: () => (fc) =>
    fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.oneof(fc.string(), fc.integer(), fc.boolean()))
})

export const UnitContext = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  properties: optional(ContextProperties)
}).annotations({ identifier: "UnitContext" })
export type UnitContext = typeof UnitContext.Type
