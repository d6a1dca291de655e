import { Context } from "effect"

/** Bytes of the JSON body of an endpoint that knows its callers, where it says nothing else. */
export const usualBody = 1024 * 1024

/** Bytes of a list of 100,000 ids with up to 80 characters each. */
export const bodyOfLongList = 8 * usualBody

/** The most bytes of the JSON body of an endpoint, before and after it is inflated. */
export class BodyLimit extends Context.Reference<BodyLimit>()("schema/BodyLimit", {
  defaultValue: () => usualBody
}) {}
