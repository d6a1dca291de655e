import { Option } from "effect"
import type { CallerLimit } from "../ports/operations/Settings.ts"

/** The limit that `2000/500` writes: of one key, and of one address. */
export const limitIn = (written: string): Option.Option<CallerLimit> => {
  const [, perKey, perAddress] = /^([1-9]\d{0,8})\/([1-9]\d{0,8})$/.exec(written) ?? []
  return perKey === undefined ? Option.none() : Option.some({ perKey: Number(perKey), perAddress: Number(perAddress) })
}
