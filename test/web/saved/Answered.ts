import { Schema } from "effect"
import { SavedQueryDefinition } from "../../../schema/analytics/SavedQueries.ts"
import type { Definition, SavedQuestion } from "../../../src/web/saved/Kind.ts"

const record = {
  id: "00000000-0000-4000-8000-000000000001",
  name: "Question",
  description: null,
  listed: true,
  starred: false,
  createdBy: null,
  updatedBy: null,
  createdAt: "2026-11-01T00:00:00.000Z",
  updatedAt: "2026-11-01T00:00:00.000Z",
  lastRunAt: null
}

/** The question as the server answers it: with everything that it fills in. */
export const answered = (definition: Definition): SavedQuestion => {
  const decoded = Schema.decodeUnknownSync(SavedQueryDefinition)({ name: "Question", ...definition })
  return { ...record, ...JSON.parse(JSON.stringify(Schema.encodeSync(SavedQueryDefinition)(decoded))), ...record }
}
