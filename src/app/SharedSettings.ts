import type { Configuration } from "./Config.ts"

const limitOf = ({ perKey, perAddress }: { readonly perKey: number; readonly perAddress: number }) =>
  `${perKey}/${perAddress}`

/** The settings that all processes over the same stores must have in common, by their flags: a player may ask any of them. */
export const sharedSettings = (configuration: Configuration): Readonly<Record<string, string>> => ({
  "--public-url": configuration.publicUrl,
  "--key-prefix": configuration.keyPrefix,
  "--max-accounts": `${configuration.maxAccounts}`,
  "--session-days": `${configuration.sessionDays}`,
  "--member-slots": `${configuration.memberSlots}`,
  "--project-slots": `${configuration.projectSlots}`,
  "--default-organization": configuration.defaultOrganization ? "on" : "off",
  "--sign-up": configuration.signUp ?? "",
  "--rate-limits": configuration.rateLimits ? "on" : "off",
  "--poll-limit": limitOf(configuration.pollLimit),
  "--evaluate-limit": limitOf(configuration.evaluateLimit),
  "--ingest-limit": limitOf(configuration.ingestLimit),
  "--stream-limit": limitOf(configuration.streamLimit),
  "--link-schemes": configuration.linkSchemes,
  "--retention-days": `${configuration.retentionDays}`,
  "--dedupe-days": `${configuration.dedupeDays}`,
  "--marker-types": `${configuration.markerTypes}`,
  "--marker-names": `${configuration.markerNames}`,
  "--marker-names-of-type": `${configuration.markerNamesOfType}`,
  "--week-start": `${configuration.weekStart}`
})
