import { Schema } from "effect"
import { hasCharacters } from "../../src/domain/Characters.ts"
import { NumberOfQuery } from "../analytics/QueryUsers.ts"
import { basedOn } from "../BasedOn.ts"
import { elsewhere } from "../Elsewhere.ts"
import { example } from "../Example.ts"
import { longList } from "../LongList.ts"
import { optional, withDefault } from "../Optional.ts"
import { Description, text, Title } from "../Text.ts"
import { CohortDefinition, lapsedSpenders } from "./CohortDefinition.ts"

const described = { name: Title, description: optional(Schema.NullOr(Description)) }
const unitId = Schema.Union(text(1, 256), Schema.Int)

/** The most members of a static cohort. */
export const largestList = 100_000

const isUnitId = (value: unknown): value is string | number =>
  typeof value === "string" ? hasCharacters(value, 1, 256) : Number.isSafeInteger(value)

const unitIds = longList(unitId, isUnitId, largestList, {
  anyOf: [{ type: "string", description: "1 to 256 characters", maxLength: 256, minLength: 1 }, { type: "integer" }]
})

const defined = {
  ...described,
  kind: withDefault(Schema.Literal("dynamic"), "dynamic"),
  definition: CohortDefinition
}

const oneSource = "give either unitIds or from"

export const CohortRequest = Schema.Union(
  Schema.Struct({ ...described, kind: Schema.Literal("static"), unitIds }).annotations(elsewhere({ from: oneSource })),
  Schema.Struct({ ...described, kind: Schema.Literal("static"), from: NumberOfQuery }).annotations(
    elsewhere({ unitIds: oneSource })
  ),
  Schema.Struct(defined)
)
  .annotations({
    identifier: "CohortRequest",
    description: `A static cohort lists its members in unitIds, or takes them \`from\` the number of a query: the players behind it now, at most ${largestList}. That takes analytics:read too`
  })
  .pipe(example({ name: "Lapsed spenders", definition: lapsedSpenders }))
export type CohortRequest = typeof CohortRequest.Type

export const CohortChange = Schema.Union(
  Schema.Struct({ ...described, kind: Schema.Literal("static"), unitIds: optional(unitIds), basedOn }),
  Schema.Struct({ ...defined, basedOn })
)
  .annotations({ identifier: "CohortChange", description: "Without unitIds a static cohort keeps its members" })
  .pipe(example({ name: "Lapsed spenders", description: "To be won back", definition: lapsedSpenders }))
export type CohortChange = typeof CohortChange.Type
