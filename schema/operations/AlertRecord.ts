import { Schema } from "effect"
import { AlertId, IncidentId } from "../../src/domain/Ids.ts"
import { Creator } from "../access/KeyRecord.ts"
import { oneOf } from "../Optional.ts"
import { Page } from "../Parameters.ts"
import { AlertWatch } from "./AlertWatch.ts"

const Person = Schema.NullOr(Creator)
const number = Schema.NullOr(Schema.Number)

export const AlertLook = Schema.Struct({
  verdict: oneOf("fine", "fired", "unclear"),
  value: number,
  expected: number,
  low: number,
  high: number,
  of: number.annotations({ description: "Of a share: how many entered" })
}).annotations({
  identifier: "AlertLook",
  description:
    "What a window showed and the interval of what is expected of it; for a threshold the interval of what it showed. Shares are given from 0 to 1"
})

export const AlertFound = Schema.Struct({
  from: Schema.DateTimeUtc,
  to: Schema.DateTimeUtc,
  look: Schema.NullOr(AlertLook),
  text: Schema.String
}).annotations({ identifier: "AlertFound" })

export const AlertState = oneOf("new", "fine", "fired", "unclear", "broken")

export const IncidentRecord = Schema.Struct({
  id: IncidentId,
  startedAt: Schema.DateTimeUtc,
  endedAt: Schema.NullOr(Schema.DateTimeUtc),
  text: Schema.String.annotations({ description: "What was found" }),
  look: Schema.NullOr(AlertLook),
  objects: Schema.Array(Schema.String).annotations({
    description: "What it is about, such as the experiments whose guardrails fail"
  }),
  told: Schema.Boolean.annotations({ description: "False where the alert was muted" }),
  acknowledgedBy: Person,
  acknowledgedAt: Schema.NullOr(Schema.DateTimeUtc),
  note: Schema.NullOr(Schema.String)
}).annotations({ identifier: "AlertIncident" })
export type IncidentRecord = typeof IncidentRecord.Type

export const IncidentPage = Page(IncidentRecord).annotations({ identifier: "AlertIncidentPage" })
export type IncidentPage = typeof IncidentPage.Type

export const AlertRecord = Schema.Struct({
  id: AlertId,
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  watch: AlertWatch,
  delayMinutes: Schema.Int,
  isActive: Schema.Boolean,
  state: AlertState.annotations({
    description:
      "`unclear`: too little is known to say, as in the first weeks of a game; `broken`: it cannot be judged, and `problem` says why"
  }),
  since: Schema.DateTimeUtc,
  found: Schema.NullOr(AlertFound),
  problem: Schema.NullOr(Schema.String),
  incident: Schema.NullOr(IncidentRecord).annotations({ description: "The one that is open" }),
  nextLookAt: Schema.NullOr(Schema.DateTimeUtc),
  mutedUntil: Schema.NullOr(Schema.DateTimeUtc),
  createdBy: Person,
  updatedBy: Person,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
}).annotations({ identifier: "Alert" })
export type AlertRecord = typeof AlertRecord.Type

const AlertWindow = Schema.Struct({
  from: Schema.DateTimeUtc,
  to: Schema.DateTimeUtc,
  look: AlertLook
}).annotations({ identifier: "AlertWindow" })

export const AlertPreview = Schema.Struct({
  found: AlertFound,
  verdict: oneOf("fine", "fired", "unclear"),
  windows: Schema.Array(AlertWindow).annotations({
    description: "Of an alert that judges hours the last week, of one that judges days the last four; else none"
  }),
  incidents: Schema.Int.annotations({ description: "How often it would have told somebody in these windows" })
}).annotations({ identifier: "AlertPreview" })
export type AlertPreview = typeof AlertPreview.Type
