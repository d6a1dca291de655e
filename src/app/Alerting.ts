import { Layer } from "effect"
import { AlertLooks } from "../services/operations/AlertLooks.ts"
import { AlertMeasures } from "../services/operations/AlertMeasures.ts"
import { AlertPreviews } from "../services/operations/AlertPreviews.ts"
import { AlertRounds } from "../services/operations/AlertRounds.ts"
import { Alerts } from "../services/operations/Alerts.ts"

/** What watches the answers to questions. */
export const Alerting = Layer.mergeAll(Alerts.Default, AlertPreviews.Default, AlertRounds.Default).pipe(
  Layer.provide(AlertLooks.Default),
  Layer.provide(AlertMeasures.Default)
)
