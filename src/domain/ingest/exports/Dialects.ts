import { amplitude } from "./Amplitude.ts"
import type { ExportDialect } from "./ExportDialect.ts"
import type { ExportOrigin } from "./ExportMapping.ts"
import { gameAnalytics } from "./GameAnalytics.ts"
import { posthog } from "./Posthog.ts"
import { talo } from "./Talo.ts"

export const exportDialects: Readonly<Record<ExportOrigin, ExportDialect>> = {
  posthog,
  gameanalytics: gameAnalytics,
  amplitude,
  talo
}
