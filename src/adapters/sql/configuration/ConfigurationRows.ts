import { Schema } from "effect"
import type { Document } from "../../../domain/configuration/Document.ts"
import { ApplicationId, ConfigurationId, EnvironmentId, UserId } from "../../../domain/Ids.ts"
import { documentText } from "../../../domain/configuration/DocumentText.ts"
import { Flag, Instant, JsonText } from "../Rows.ts"
import { Trusted } from "../Trusted.ts"

const Written = JsonText(Trusted<Document>())
/** Text that was asked for before is not written again. */
const DocumentColumn = Schema.transform(Schema.String, Trusted<Document>(), {
  strict: true,
  decode: (text): Document => JSON.parse(text),
  encode: documentText
})
const Privacy = JsonText(Schema.Array(Schema.Array(Schema.String)))
const Author = Schema.NullOr(JsonText(Schema.Struct({ id: UserId, email: Schema.String })))

const summary = {
  applicationId: ApplicationId,
  environmentId: EnvironmentId,
  name: Schema.String,
  alias: Schema.NullOr(Schema.String),
  description: Schema.NullOr(Schema.String),
  privacy: Privacy,
  schema: Schema.NullOr(Written),
  keyDescriptions: JsonText(Schema.Record({ key: Schema.String, value: Schema.String })),
  isPrimary: Flag,
  hash: Schema.String,
  version: Schema.Int,
  createdAt: Instant,
  updatedAt: Instant,
  updatedBy: Author
}

export const NewRow = Schema.Struct({ ...summary, document: DocumentColumn })
export const ConfigurationRow = Schema.Struct({ id: ConfigurationId, ...NewRow.fields })
export const SummaryRow = Schema.Struct({ id: ConfigurationId, ...summary })
export const WrittenRow = Schema.Struct({ ...SummaryRow.fields, document: Schema.String })

export const SizeRow = Schema.Struct({
  id: ConfigurationId,
  bytes: Schema.Int,
  besideBytes: Schema.Int,
  hasLinks: Flag
})

const versionSummary = {
  configurationId: ConfigurationId,
  version: Schema.Int,
  hash: Schema.String,
  reason: Schema.NullOr(Schema.String),
  createdAt: Instant,
  createdBy: Author
}

export const VersionRow = Schema.Struct({ ...versionSummary, document: DocumentColumn, privacy: Privacy })
export const VersionSummaryRow = Schema.Struct(versionSummary)
export const NamedVersionRow = Schema.Struct({ ...versionSummary, name: Schema.String })
