import { DateTime } from "effect"
import { randomUUID } from "node:crypto"
import { AlertId, type EnvironmentId } from "../../../src/domain/Ids.ts"
import type { Alert } from "../../../src/domain/operations/alerts/Alert.ts"
import { newUserId } from "../access/Tenants.ts"

/** So many milliseconds after some instant. */
export const alertTime = (millis: number) => DateTime.unsafeMake(1_700_000_000_000 + millis)

/** An alert of the environment that has looked at nothing yet. */
export const alertOf = (
  environment: { readonly id: EnvironmentId; readonly applicationId: Alert["applicationId"] },
  more: Partial<Alert> = {}
): Alert => ({
  id: AlertId.make(randomUUID()),
  applicationId: environment.applicationId,
  environmentId: environment.id,
  name: 'Fewer "Käufe"',
  description: null,
  watch: { kind: "silence", names: ["Login", "Start"], minutes: 30 },
  delayMinutes: 15,
  isActive: true,
  state: "new",
  since: alertTime(0),
  found: null,
  problem: null,
  failures: 0,
  calm: 0,
  nextAt: 100,
  mutedUntil: null,
  createdBy: { id: newUserId(), email: "ada@studio.example" },
  updatedBy: null,
  createdAt: alertTime(0),
  updatedAt: alertTime(0),
  ...more
})
