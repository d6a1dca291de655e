import { DateTime } from "effect"
import type { NewConfiguration } from "../../../src/domain/configuration/Configuration.ts"
import type { ApplicationId, EnvironmentId } from "../../../src/domain/Ids.ts"
import { UserId } from "../../../src/domain/Ids.ts"

export const anyText = "Zoë 'O\"Neil' \n%_ 東京 🎮 e\u0301"

export const createdAt = DateTime.unsafeMake(1_772_323_199_007)

export const author = { id: UserId.make("00000000-0000-4000-8000-000000000001"), email: "ada@studio.test" }

export const document = JSON.parse(
  '{"z": 1.5, "a": [null, true, {"b": "\\u0000\\ud800 東京"}], "__proto__": {"x": -7}, "10": {}, "snake_case": {"camelCase": []}}'
)

export const newConfiguration = (
  { id, applicationId }: { readonly id: EnvironmentId; readonly applicationId: ApplicationId },
  name: string,
  more: Partial<NewConfiguration> = {}
): NewConfiguration => ({
  applicationId,
  environmentId: id,
  name,
  alias: null,
  description: null,
  document: {},
  privacy: [],
  schema: null,
  keyDescriptions: {},
  isPrimary: false,
  hash: "hash",
  version: 1,
  createdAt,
  updatedAt: createdAt,
  updatedBy: null,
  ...more
})
