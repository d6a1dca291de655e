import { createHash } from "node:crypto"
import { erasureText } from "../../../domain/operations/ErasedUnit.ts"

/** The fingerprint of an erased unit, as `ErasedUnitRepo` and the event file store it. */
export const fingerprintOf = (environmentId: number, unitId: string): string =>
  createHash("sha256").update(erasureText(environmentId, unitId)).digest("base64url")
