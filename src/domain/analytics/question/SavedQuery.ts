import type { DateTime } from "effect"
import type { ApplicationId, QueryId, UserId } from "../../Ids.ts"

export type QueryType = "insight" | "funnel" | "retention" | "heatmap"

interface Person {
  readonly id: UserId
  readonly email: string
}

/** A query saved under a name. */
export interface SavedQuery {
  readonly id: QueryId
  readonly applicationId: ApplicationId
  readonly name: string
  readonly description: string | null
  readonly queryType: QueryType
  /** Type and specification as JSON, in the form of the API. */
  readonly definition: string
  /** Whether lists show it; one that they leave out is only opened by its id. */
  readonly listed: boolean
  /** Null where a key of the organization made it. */
  readonly createdBy: Person | null
  /** Null where a key of the organization changed it last, or nobody remembers. */
  readonly updatedBy: Person | null
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
  /** When it was run last by its id, to the minute; null where it never was. */
  readonly lastRunAt: DateTime.Utc | null
}

/** Where a list of saved queries continues: after the query with this time and id. */
export type SavedQueryPlace = Pick<SavedQuery, "createdAt" | "id">

/** What a list of saved queries is narrowed to; null asks for all. */
export interface SavedQuerySelection {
  readonly listed: boolean | null
  /** Is part of the name or the description, in any case. */
  readonly search: string | null
  readonly queryType: QueryType | null
  readonly createdBy: UserId | null
  /** Those with a star of this person, or those without. */
  readonly star: { readonly userId: UserId; readonly isSet: boolean } | null
}

/** A selection that leaves nothing out. */
export const everySavedQuery: SavedQuerySelection = {
  listed: null,
  search: null,
  queryType: null,
  createdBy: null,
  star: null
}

/** Text as a search compares it: in lower case, and composed, so that `é` is found however it was typed. */
export const searchText = (text: string): string => text.normalize("NFC").toLowerCase()

/** The text in which a search for the query looks. */
export const searchedText = ({ name, description }: Pick<SavedQuery, "name" | "description">): string =>
  searchText(description === null ? name : `${name}\n${description}`)
