import { exposureType } from "../analytics/filter/Memberships.ts"

/** What an exposure is of; `at` in epoch milliseconds. */
export interface ExposureOf {
  readonly experimentId: number
  readonly groupId: number
  readonly distinctId: string
  readonly at: number
}

/** The text from whose SHA-256 an exposure's marker id is made: the same exposure gives the same marker, however often it is written. */
export const exposureText = ({ experimentId, groupId, distinctId, at }: ExposureOf): string =>
  `${exposureType}\n${experimentId}\n${groupId}\n${distinctId}\n${at}`
