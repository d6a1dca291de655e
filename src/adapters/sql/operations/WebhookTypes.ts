import { SqlClient } from "@effect/sql"
import { Effect } from "effect"

/** What types of events were called before, and what they are called. Those of messages that wait stay as they were. */
const renamed: ReadonlyArray<readonly [before: string, after: string]> = [
  ...[
    "organization",
    "role",
    "project",
    "environment",
    "configuration",
    "experiment",
    "cohort",
    "deeplink",
    "query",
    "board",
    "heatmap",
    "key",
    "alert"
  ].map((kind) => [`${kind}.changed`, `${kind}.updated`] as const),
  ["key.revoked", "key.deactivated"],
  ["member.role_changed", "member.roleChanged"],
  ["member.password_link_made", "member.passwordLinkMade"],
  ["member.second_factor_removed", "member.secondFactorRemoved"],
  ["experiment.rollout_changed", "experiment.rolloutChanged"],
  ["experiment.draft_created", "experiment.draftCreated"],
  ["experiment.draft_changed", "experiment.draftUpdated"],
  ["experiment.draft_removed", "experiment.draftRemoved"],
  ["experiment.assignments_changed", "experiment.assignmentsChanged"]
]

/** A step of the migrations of both stores: types of events have the names that the documents of the API give them. */
export const renamedWebhookTypes = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(
    renamed,
    ([before, after]) => sql`update webhooks set types = replace(types, ${`"${before}"`}, ${`"${after}"`})`,
    { discard: true }
  )
)
