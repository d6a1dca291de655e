import type { Answer } from "../api/Wire.ts"

type Entry = Answer<"audit.list">["items"][number]

/** Kinds of objects as the log names them, and as people do. */
export const auditedKinds: ReadonlyArray<readonly [kind: string, name: string]> = [
  ["configurations", "Configurations"],
  ["experiments", "Experiments"],
  ["experimentDrafts", "Drafts of experiments"],
  ["assignments", "Assignments by hand"],
  ["cohorts", "Cohorts"],
  ["deeplinks", "Deeplinks"],
  ["alerts", "Alerts"],
  ["savedQueries", "Saved questions"],
  ["boards", "Boards"],
  ["heatmaps", "Heatmaps"],
  ["sdkHeatmaps", "Heatmaps, by servers of games"],
  ["markers", "Markers"],
  ["players", "Players"],
  ["apiKeys", "Keys"],
  ["invitations", "Invitations"],
  ["roles", "Roles"],
  ["webhooks", "Webhooks"],
  ["passwordResets", "New passwords"],
  ["secondFactors", "Second factors"],
  ["organizations", "Organization and members"],
  ["icons", "Icon"],
  ["projects", "Projects"],
  ["environments", "Environments"]
]

/** Who made the change: a person, with a token where it was one, a key by its name, or the server. */
export const actorWords = ({ kind, email, keyName }: Entry["actor"]): string => {
  if (kind === "system") return "the server"
  if (email === null) return `key ${keyName ?? ""}`.trim()
  return keyName === null ? email : `${email}, with ${keyName}`
}

/** `removeMember` as `remove member`. */
const spaced = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** What was done, by the end of the operation's name. What is not here says so by its own words. */
const deeds: Readonly<Record<string, string>> = {
  accept: "accepted",
  acknowledge: "taken over",
  add: "added",
  addMember: "member added",
  assign: "assigned",
  changeRollout: "rollout changed",
  confirm: "confirmed",
  copy: "copied",
  create: "made",
  deactivate: "revoked",
  erase: "erased",
  import: "imported",
  makePrimary: "made the primary one",
  mute: "muted",
  newRecoveryCodes: "new recovery codes made",
  patch: "changed",
  put: "changed",
  putImage: "picture changed",
  remove: "deleted",
  removeMember: "member removed",
  removeOfMember: "taken off a member",
  replace: "changed",
  revert: "earlier version brought back to",
  revoke: "revoked",
  rotate: "new secret made for",
  set: "changed",
  setEnvironments: "environments changed of",
  setGrant: "role in a project changed of",
  setMemberRole: "role changed of",
  setMetadata: "described",
  setPermissions: "permissions changed of",
  setProjects: "projects changed of",
  setUp: "set up",
  start: "started",
  terminate: "ended",
  unenroll: "taken out",
  update: "changed"
}

/** What was done to what: `Configurations: changed “Shop”`. */
export const operationWords = ({ operation, object }: Pick<Entry, "operation" | "object">): string => {
  const [kind = "", name = ""] = operation.split(".")
  const known = auditedKinds.find(([each]) => each === kind)?.[1] ?? spaced(kind)
  const which = object.name === null ? (object.id ?? "") : `“${object.name}”`
  return `${known}: ${deeds[name] ?? spaced(name)} ${which}`.trim()
}
