import type { SummedTable } from "./RowSum.ts"

/** Keys and tokens. The time of the last use changes without the checksum: it is noted once a minute, and decides nothing. */
export const credentials: SummedTable = {
  name: "credentials",
  key: ["id"],
  columns: [
    "id",
    "organizationId",
    "type",
    "userId",
    "name",
    "description",
    "allProjects",
    "applicationIds",
    "environmentIds",
    "permissions",
    "keyPrefix",
    "lastFour",
    "secretHash",
    "previousSecretHash",
    "previousValidUntil",
    "expiresAt",
    "createdAt",
    "createdBy",
    "deactivatedAt"
  ]
}

export const roles: SummedTable = {
  name: "roles",
  key: ["id"],
  columns: ["id", "organizationId", "builtin", "name", "description", "permissions", "createdAt", "updatedAt"]
}

export const grants: SummedTable = {
  name: "grants",
  key: ["id"],
  columns: ["id", "organizationId", "applicationId", "membershipId", "roleId", "createdAt", "createdBy"]
}

export const configurations: SummedTable = {
  name: "configurations",
  key: ["id"],
  columns: [
    "id",
    "applicationId",
    "environmentId",
    "name",
    "alias",
    "description",
    "privacy",
    "schema",
    "keyDescriptions",
    "isPrimary",
    "hash",
    "version",
    "createdAt",
    "updatedAt",
    "updatedBy",
    "documentSum"
  ],
  apart: { column: "document", sum: "documentSum" }
}

export const configurationVersions: SummedTable = {
  name: "configuration_versions",
  key: ["configurationId", "version"],
  columns: ["configurationId", "version", "hash", "document", "privacy", "reason", "createdAt", "createdBy"]
}

export const experiments: SummedTable = {
  name: "experiments",
  key: ["id"],
  columns: ["id", "applicationId", "environmentId", "revision", "status", "isOpen", "baseConfigurationId", "record"]
}

export const assignments: SummedTable = {
  name: "assignments",
  key: ["environmentId", "distinctId", "experimentId"],
  columns: [
    "experimentId",
    "distinctId",
    "environmentId",
    "unitType",
    "groupId",
    "automaticGroupId",
    "overrideGroupId",
    "status",
    "source",
    "version",
    "assignedAt"
  ],
  added: "firstExposedAt"
}
