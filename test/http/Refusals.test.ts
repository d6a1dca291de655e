import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Arbitrary, DateTime, Effect, FastCheck as fc, Redacted } from "effect"
import type { CredentialKind } from "../../schema/Auth.ts"
import { all as allPermissions } from "../../src/domain/access/Permission.ts"
import { CredentialRepo } from "../../src/ports/CredentialRepo.ts"
import { Secrets } from "../../src/ports/Secrets.ts"
import type { Endpoint } from "../support/Endpoints.ts"
import { endpoints } from "../support/Endpoints.ts"
import { fingerprint } from "../support/Fingerprint.ts"
import { notImplemented } from "../support/NotImplemented.ts"
import { stores } from "../support/Stores.ts"
import type { Studio } from "../support/Studio.ts"
import { joinStudio, mintKey, openStudio } from "../support/Studio.ts"
import type { Answer } from "../support/TestApp.ts"
import { envelopeKeys, testApp } from "../support/TestApp.ts"

/** Endpoints about the asker alone: no permission can be lacking there. */
const personal = /^(accounts|users|personalTokens|invitations\.accept|organizations\.(list|create))/

const built = endpoints().filter(({ name }) => !notImplemented.includes(name))
const guarded = built.filter(({ kinds }) => kinds.length > 0)

const unknown: Record<CredentialKind, string> = {
  session: "auth-token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  personal: "gk_pat_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  secret: "gk_sk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  public: "sdk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
}

const payloads = new Map<string, unknown>()

/** A body that decodes, the same in every run. */
const payloadOf = ({ name, payload }: Endpoint): unknown => {
  if (payload === undefined) return undefined
  if (!payloads.has(name)) {
    const encoded = Arbitrary.make(payload)
    payloads.set(name, fc.sample(encoded, { numRuns: 1, seed: 42 })[0])
  }
  return payloads.get(name)
}
