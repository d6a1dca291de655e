import { equals } from "../../domain/configuration/Document.ts"
import type { Configuration } from "./ConfigurationQueries.ts"

/** What a configuration is beside its document. */
export type ConfigurationDetails = Pick<Configuration, "name" | "alias" | "description" | "schema">

/** The fields that say something else than they did. */
export const detailsChanged = (
  before: ConfigurationDetails,
  { name, alias, description, schema }: ConfigurationDetails
): Partial<ConfigurationDetails> => ({
  ...(name === before.name ? {} : { name }),
  ...(alias === before.alias ? {} : { alias }),
  ...(description === before.description ? {} : { description }),
  ...(equals(schema, before.schema) ? {} : { schema })
})
