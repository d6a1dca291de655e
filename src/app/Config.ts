import { Option, Redacted } from "effect"
import { isProduct } from "../domain/access/Token.ts"
import type { SettingsShape } from "../ports/operations/Settings.ts"
import { accountDefaults, accountOptions } from "./AccountSettings.ts"
import { eventsAddressIn, metadataAddressIn, reachableAddress } from "./Addresses.ts"
import { mailDefaults, mailOptions } from "./Mailing.ts"
import { oidcDefaults, oidcOptions, oidcSettings } from "./SingleSignOn.ts"
import { areLinkSchemes, linkSchemesIn } from "./LinkSchemes.ts"
import { metricsToken } from "./Measuring.ts"
import { type LogFormat, logFormats } from "./Logs.ts"
import { noOtlp, otlpOptions } from "./Telemetry.ts"
import { ownerOption, ownersIn } from "./Owners.ts"
import { address, checked, filled, integer, limit, logFormat, secret, text, toggle, weekDay } from "./SettingKinds.ts"
import { weekStarts } from "./WeekDays.ts"

/** What holds where nothing is set. */
export const defaults = {
  host: "127.0.0.1",
  port: 4210,
  data: "./data",
  metadata: Redacted.make(""),
  events: Redacted.make(""),
  publicUrl: "",
  ...mailDefaults,
  oidc: oidcDefaults,
  keyPrefix: "gk",
  ...accountDefaults,
  memberSlots: 1000,
  projectSlots: 1000,
  defaultOrganization: true,
  signUp: null,
  rateLimits: true,
  pollLimit: { perKey: 10_000, perAddress: 1000 },
  evaluateLimit: { perKey: 5000, perAddress: 500 },
  ingestLimit: { perKey: 2000, perAddress: 500 },
  streamLimit: { perKey: 20_000, perAddress: 2000 },
  connectionLimit: 32_000,
  trustProxy: false,
  linkSchemes: "",
  owner: "",
  retentionDays: 400,
  dedupeDays: 7,
  queryTimeoutSeconds: 30,
  markerTypes: 1000,
  markerNames: 10_000,
  markerNamesOfType: 300,
  weekStart: weekStarts.sunday,
  analyticsMemoryMb: 256,
  warmUp: true,
  snapshot: true,
  minFreeMb: 100,
  auditDays: 365,
  privateWebhooks: false,
  slowQueryMs: 1000,
  logFormat: logFormats.logfmt,
  backupTo: "",
  s3Endpoint: "",
  s3Region: "us-east-1",
  backupHours: 24,
  backupKeep: 14,
  exportTo: "",
  exportHours: 24,
  exportEnvironments: "",
  metricsToken: Redacted.make(""),
  otlp: noOtlp
}

export type Configuration = Readonly<Omit<typeof defaults, "signUp" | "logFormat">> &
  Pick<SettingsShape, "signUp"> & { readonly logFormat: LogFormat }

/** Every setting of the server: one flag, one environment variable, one default each. */
export const options = {
  host: filled("host", defaults.host, "Address to listen on"),
  port: integer("port", defaults.port, [0, 65_535], "Port to listen on; 0 takes a free one"),
  data: filled("data", defaults.data, "Folder that holds everything this server knows"),
  metadata: secret(
    "metadata",
    metadataAddressIn,
    "an address such as postgres://user:password@host/database",
    "PostgreSQL that holds metadata in the place of the data folder, together with --events"
  ),
  events: secret(
    "events",
    eventsAddressIn,
    "an address such as clickhouse://user:password@host/database",
    "ClickHouse that holds markers in the place of the data folder, together with --metadata"
  ),
  publicUrl: address("public-url", "Address players and browsers use; default: where it listens"),
  ...mailOptions,
  oidc: oidcOptions,
  keyPrefix: checked(
    "key-prefix",
    defaults.keyPrefix,
    Option.liftPredicate(isProduct),
    "1 to 32 letters, digits or any of - . _, but neither sdk nor what begins with sdk_, which is that of public keys",
    "First part of secret keys and personal access tokens that are made from now on"
  ),
  ...accountOptions,
  memberSlots: integer("member-slots", defaults.memberSlots, [1, 1_000_000], "Members an organization may have"),
  projectSlots: integer("project-slots", defaults.projectSlots, [1, 1_000_000], "Projects an organization may have"),
  defaultOrganization: toggle(
    "default-organization",
    defaults.defaultOrganization,
    "Give a new user an organization at the first sign-in"
  ),
  rateLimits: toggle("rate-limits", defaults.rateLimits, "Limit requests, and refuse what is too much; off: never"),
  pollLimit: limit("poll-limit", defaults.pollLimit, "Polls a second of one key / of one address"),
  evaluateLimit: limit("evaluate-limit", defaults.evaluateLimit, "Evaluations a second of one key / of one address"),
  ingestLimit: limit("ingest-limit", defaults.ingestLimit, "Batches of markers a second of one key / of one address"),
  streamLimit: limit("stream-limit", defaults.streamLimit, "Open streams of one key / of one address"),
  connectionLimit: integer(
    "connection-limit",
    defaults.connectionLimit,
    [1, 1_000_000],
    "Open connections of one address"
  ),
  trustProxy: toggle("trust-proxy", defaults.trustProxy, "Take the caller's address from X-Forwarded-For"),
  linkSchemes: checked(
    "link-schemes",
    defaults.linkSchemes,
    Option.liftPredicate(areLinkSchemes),
    "schemes such as mygame, separated by commas, and none that browsers run or show, such as javascript or data",
    "Schemes of apps that deeplinks may lead to beside http, https and Roblox, separated by commas"
  ),
  owner: ownerOption(defaults.owner),
  retentionDays: integer(
    "retention-days",
    defaults.retentionDays,
    [1, 36_500],
    "Days markers are kept; older ones are refused as stale"
  ),
  dedupeDays: integer(
    "dedupe-days",
    defaults.dedupeDays,
    [1, 365],
    "Days after receipt in which a repeated marker id is a duplicate"
  ),
  queryTimeoutSeconds: integer(
    "query-timeout-seconds",
    defaults.queryTimeoutSeconds,
    [1, 3600],
    "Time budget of one query, in which the wait for its turn does not count"
  ),
  markerTypes: integer(
    "marker-types",
    defaults.markerTypes,
    [1, 100_000],
    "Marker types an environment may have; markers of further ones are rejected"
  ),
  markerNames: integer(
    "marker-names",
    defaults.markerNames,
    [1, 1_000_000],
    "Names of arguments and properties an environment may have, counted for each marker type"
  ),
  markerNamesOfType: integer(
    "marker-names-of-type",
    defaults.markerNamesOfType,
    [1, 10_000],
    "Names of arguments and properties one marker type may have"
  ),
  weekStart: weekDay("week-start", "Day on which weeks begin"),
  analyticsMemoryMb: integer(
    "analytics-memory-mb",
    defaults.analyticsMemoryMb,
    [16, 65_536],
    "Memory for decoded columns and what questions hold of them; a machine needs more"
  ),
  warmUp: toggle(
    "warm-up",
    defaults.warmUp,
    "Compile at the start what questions need, so that the first one is quick"
  ),
  snapshot: toggle(
    "snapshot",
    defaults.snapshot,
    "Copy the data folder into `snapshots` in it before a newer version changes it"
  ),
  minFreeMb: integer(
    "min-free-mb",
    defaults.minFreeMb,
    [0, 1_000_000],
    "Megabytes of free disk below which /ready answers 503"
  ),
  privateWebhooks: toggle(
    "private-webhooks",
    defaults.privateWebhooks,
    "Let webhooks lead to private addresses, and be without https"
  ),
  auditDays: integer("audit-days", defaults.auditDays, [1, 36_500], "Days that the log of changes is kept"),
  slowQueryMs: integer(
    "slow-query-ms",
    defaults.slowQueryMs,
    [0, 3_600_000],
    "Milliseconds from which on a question is told in the log; 0: none is"
  ),
  logFormat: logFormat("log-format", "How lines of the log are written"),
  backupTo: text(
    "backup-to",
    defaults.backupTo,
    "Folder, or s3://bucket/prefix, into which the data folder is backed up by itself; default: none"
  ),
  s3Endpoint: address("s3-endpoint", "Address of an S3-compatible store of backups; default: AWS"),
  s3Region: text("s3-region", defaults.s3Region, "Region of the bucket of backups"),
  backupHours: integer("backup-hours", defaults.backupHours, [1, 8760], "Hours from one backup to the next"),
  backupKeep: integer("backup-keep", defaults.backupKeep, [1, 10_000], "How many backups stay in --backup-to"),
  exportTo: text(
    "export-to",
    defaults.exportTo,
    "Folder, or s3://bucket/prefix, into which markers are exported as Parquet by themselves; default: none"
  ),
  exportHours: integer("export-hours", defaults.exportHours, [1, 8760], "Hours from one export to the next"),
  exportEnvironments: text(
    "export-environments",
    defaults.exportEnvironments,
    "Ids or aliases of the environments that are exported, separated by commas; default: all"
  ),
  metricsToken,
  otlp: otlpOptions
}

/** What the services read of the configuration. */
export const settingsOf = ({
  publicUrl,
  host,
  port,
  linkSchemes,
  owner,
  metadata: _,
  events: __,
  smtp: ___,
  mailFrom: ____,
  ...rest
}: Configuration): SettingsShape => ({
  ...rest,
  nameLimits: { types: rest.markerTypes, namesOfType: rest.markerNamesOfType, names: rest.markerNames },
  linkSchemes: linkSchemesIn(linkSchemes),
  owners: ownersIn(owner),
  oidc: oidcSettings(rest.oidc),
  publicUrl: publicUrl === "" ? reachableAddress(host, port) : publicUrl.replace(/\/+$/, "")
})
