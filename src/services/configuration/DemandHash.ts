import { Effect } from "effect"
import { HashMismatch } from "../../../schema/configuration/ConfigurationErrors.ts"
import type { Configuration } from "../../domain/configuration/Configuration.ts"

/** Refuses a change that was made on another document or other private paths than the present ones; without `baseHash` any will do. */
export const demandHash = ({ id, hash }: Configuration, baseHash: string | undefined) =>
  baseHash === undefined || baseHash === hash
    ? Effect.void
    : Effect.fail(
        new HashMismatch({
          message: `Configuration ${id} has changed since: read it again (its hash is now ${hash}) and repeat the change`
        })
      )
