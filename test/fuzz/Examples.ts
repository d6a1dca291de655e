import { placeholder } from "./Known.ts"
import { funnels, heatmapQueries, insights, level, retention } from "./Questions.ts"

const id = (name: string) => placeholder(name, 0)

const bounds = { pointA: { x: -100, y: 0, z: -100 }, pointB: { x: 100, y: 50, z: 100 } }
const heatmap = { name: "Harbour", bounds, resolutionFactor: 2 }

const did = {
  type: "behaviour",
  marker: "Level",
  measure: "count",
  operator: "greaterThanOrEqual",
  value: 1,
  window: { last: 30, unit: "day" }
}

const definitions = [
  { op: "and", children: [did] },
  {
    op: "or",
    negate: true,
    children: [
      { type: "cohort", cohortId: id("cohortId") },
      { type: "property", name: "platform", operator: "is", value: "ios" },
      {
        op: "and",
        children: [
          { type: "experiment", experimentId: id("experimentId") },
          { ...did, did: false }
        ]
      }
    ]
  }
]

const cohorts = definitions.map((definition, at) => ({ name: `Active ${at}`, definition }))

const behind = {
  name: "Behind a number",
  kind: "static",
  from: { queryType: "insight", spec: insights[0], select: { metricId: "A" } }
}

const changeset = { operations: [{ op: "set", path: ["price"], value: 20 }] }

const experiment = {
  name: "Price",
  unitType: "user",
  assignmentMode: "weightedHash",
  baseConfigurationId: id("configurationId"),
  groups: [
    { name: "control", weight: 5000, isControl: true },
    { name: "dear", label: "Dear", weight: 5000, changeset }
  ]
}

const targeted = {
  ...experiment,
  assignmentMode: "roundRobin",
  groups: [
    { name: "a", weight: 5000 },
    { name: "b", weight: 5000, changeset: { operations: [{ op: "delete", path: ["shop", "open"] }] } }
  ],
  targeting: {
    cohortIds: [id("cohortId")],
    conditions: [{ property: "properties.level", operator: "greaterThan", value: 2 }],
    newUsersOnly: true
  },
  holdoutPercent: 10,
  exclusionLayer: "shop",
  rollout: { percent: 50, steps: [{ at: "2036-01-01T00:00:00Z", percent: 100 }] },
  metrics: { goals: [{ id: "m", name: "Levels", type: "mean", marker: "Level", aggregation: "count" }] }
}

const context = { schemaVersion: 1, properties: { level: 3 }, roblox: { device: "pc" } }
const unit = { type: "user", distinctId: "player-1" }

const marker = (n: number) => ({
  markerId: `00000000-0000-4000-8000-00000000000${n}`,
  eventName: ["Login", "Level", "Purchase"][n % 3],
  timestamp: "2026-11-20T10:00:00Z",
  distinctId: `player-${n}`,
  sessionId: `s${n}`,
  properties: { level: n, platform: "ios", revenue: 1.5 }
})

const typed = {
  type: "Level",
  timestamp: 1_780_000_000,
  userId: 7,
  value: { level: 4 },
  properties: { position: [1, 2, 3] }
}

const limit = { kind: "threshold", above: 1 }
const alerts = [
  { kind: "silence", names: "Level", minutes: 60 },
  { kind: "query", queryId: id("queryId"), condition: limit },
  { kind: "guardrail", experimentId: null },
  { kind: "cohort", cohortId: id("cohortId") }
].map((watch) => ({ name: "Watch", watch }))

const keyScope = { environmentIds: [id("environmentId")], permissions: ["sdk:read"], expiresIn: "never" }
const assignment = { distinctId: "player-1", groupId: id("groupId") }

/** Bodies that a client would send, by operation: with ids that the server has given out before. */
export const examples: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  "alerts.create": alerts,
  "alerts.update": alerts,
  "alerts.preview": alerts.map(({ watch }) => ({ watch })),
  "alerts.mute": [{ until: null }, { until: "2036-01-01T00:00:00Z" }],
  "accounts.signIn": [{ email: "guest@studio.test", password: "correct horse battery staple" }],
  "accounts.signUp": [
    { name: "Guest", email: "guest@studio.test", password: "correct horse battery staple", motive: "" }
  ],
  "apiKeys.create": [
    { type: "public", name: "game", applicationId: id("applicationId"), ...keyScope },
    { type: "secret", name: "server", projectScope: { allProjects: true }, ...keyScope }
  ],
  "personalTokens.create": [
    { name: "mine", organizationId: id("organizationId"), projectScope: { allProjects: true }, ...keyScope }
  ],
  "invitations.create": [{ email: "guest@studio.test", roleId: id("roleId") }],
  "organizations.addMember": [{ email: "guest@studio.test", roleId: id("roleId") }],
  "environments.create": [{ name: "Staging" }],
  "environments.update": [{ name: "Dev", retentionDays: 30, markerRetentionDays: { Level: 3 } }],
  "configurations.create": [
    { name: "Shop", configuration: { price: 10, shop: { open: true, banner: "summer" } }, privacy: [["shop"]] },
    { name: "Main", alias: "m", configuration: { price: { $link: { configurationId: id("configurationId") } } } },
    {
      name: "Checked",
      configuration: { price: 1 },
      schema: { type: "object", properties: { price: { type: "number" } } }
    }
  ],
  "configurations.replace": [{ name: "Shop", configuration: { price: 12, shop: {} } }],
  "configurations.patch": [{ changes: [{ op: "set", path: ["price"], value: 15 }], reason: "dearer" }],
  "configurations.revert": [{ version: 1 }],
  "configurations.copy": [{ name: "Copy", environmentId: id("environmentId") }],
  "experiments.create": [experiment, targeted, { ...targeted, status: "draft" }],
  "experimentDrafts.replace": [targeted, { ...experiment, groups: [] }],
  "experimentDrafts.start": [{ startsAt: "2036-01-01T00:00:00Z" }],
  "experiments.changeRollout": [{ action: "set", percent: 50 }],
  "experiments.terminate": [{ winnerGroupId: id("groupId"), applyToBase: true }],
  "experiments.update": [{ weights: [{ groupId: id("groupId"), weight: 1 }], metrics: targeted.metrics }],
  "assignments.set": [assignment],
  "assignments.unenroll": [{ distinctId: "player-1" }],
  "assignments.reactivate": [{ distinctId: "player-1" }],
  "assignments.import": [[assignment, { distinctId: "player-2", groupId: 0 }]],
  "cohorts.create": [...cohorts, { name: "Listed", kind: "static", unitIds: ["player-1", 7] }, behind],
  "cohorts.update": [...cohorts, { name: "Listed", kind: "static" }],
  "cohorts.execute": definitions.map((definition) => ({ definition })),
  "queries.insights": insights,
  "queries.funnels": funnels,
  "queries.funnelUsers": funnels.map((funnel) => ({ ...funnel, step: 1, outcome: "dropped" })),
  "queries.insightUsers": insights.map((insight) => ({ ...insight, select: { metricId: "A" } })),
  "queries.funnelNext": funnels.map((funnel) => ({ ...funnel, step: 1, outcome: "dropped" })),
  "queries.retention": retention,
  "queries.retentionUsers": retention.map((asked) => ({
    ...asked,
    select: { start: "2026-03-01T00:00:00Z", interval: 1, outcome: "left" }
  })),
  "queries.heatmapUsers": heatmapQueries.map((asked) => ({ ...asked, select: { area: bounds } })),
  "queries.heatmapArguments": heatmapQueries.map((asked) => ({ ...asked, select: { area: bounds } })),
  "queries.heatmaps": heatmapQueries,
  "savedQueries.create": [
    { name: "Levels", queryType: "insight", spec: insights[1] },
    { name: "Way", queryType: "funnel", spec: funnels[1] },
    { name: "Return", queryType: "retention", spec: retention[0] },
    { name: "Map", queryType: "heatmap", spec: heatmapQueries[0] }
  ],
  "savedQueries.state": [{ executionId: id("executionId") }],
  "savedQueries.cancel": [{ executionId: id("executionId") }],
  "heatmaps.create": [heatmap],
  "sdkHeatmaps.create": [heatmap],
  "deeplinks.create": [{ name: "Summer", type: "web_url", redirectUrl: "https://studio.example/play" }],
  "markers.raw": [{ from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z", filters: level, limit: 1 }],
  "markers.setMetadata": [
    {
      types: [{ name: "Level", displayName: "Level", hidden: true }],
      arguments: [{ type: "Level", name: "level", unit: "levels" }]
    }
  ],
  "ingest.markers": [{ markers: [marker(1), marker(2), typed] }, { markers: [{ ...marker(4), markerId: undefined }] }],
  "ingest.import": [{ markers: [marker(5), { ...marker(6), timestamp: "2036-01-01T00:00:00Z" }] }],
  "sdkConfigurations.evaluate": [
    { configuration: "Shop", unit, context },
    { unit: { ...unit, type: "server" }, knownHash: "x" }
  ],
  "sdkExperiments.assign": [
    {
      unitType: "user",
      sharedContext: context,
      units: [{ distinctId: "player-1" }, { distinctId: "player-2", context }]
    }
  ],
  "sdkCohorts.membership": [{ cohortName: "Active 0", userIds: ["player-1", 7] }],
  "sdkLegacy.assign": [{ playerIds: ["player-1", 7], knownGroupIds: [id("groupId")], allowGameserverAssignment: true }],
  "sdkLegacy.reportServer": [{ players: ["player-1"], ping: 20, fps: 60 }]
}

/** Query strings that endpoints cannot do without. */
export const queries: Readonly<Record<string, ReadonlyArray<string>>> = {
  "cohorts.membership": ["?userId=player-1"],
  "markers.argumentValues": ["?name=level", "?name=level&type=Level&search=1&limit=5"],
  "markers.propertyValues": ["?name=platform"],
  "configurations.diff": ["?from=1&to=2"],
  "sdkLegacy.assignment": ["?configName=Shop&id=player-1&id=player-2"],
  "sdkLegacy.configuration": ["?distinctId=player-1"],
  "experiments.results": ["?from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z"]
}
