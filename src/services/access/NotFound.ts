import { ApplicationNotFound, EnvironmentNotFound, OrganizationNotFound } from "../../../schema/access/AccessErrors.ts"
import type { ApplicationId, EnvironmentId, OrganizationId } from "../../domain/Ids.ts"

export const organizationMissing = (id: OrganizationId) =>
  new OrganizationNotFound({ message: `Organization ${id} does not exist` })
export const applicationMissing = (id: ApplicationId) =>
  new ApplicationNotFound({ message: `Application ${id} does not exist` })
export const environmentMissing = (id: EnvironmentId) =>
  new EnvironmentNotFound({ message: `Environment ${id} does not exist in this application` })
