import { Layer } from "effect"
import { MetricPlans } from "../services/experiments/MetricPlans.ts"
import { UnitSights } from "../services/game/UnitSights.ts"
import { Versions } from "../services/game/Versions.ts"
import { Changes } from "../services/configuration/Changes.ts"
import { ArmCheck } from "../services/configuration/ArmCheck.ts"
import { ConfigurationCheck } from "../services/configuration/ConfigurationCheck.ts"
import { CheckedWrites } from "../services/configuration/CheckedWrites.ts"
import { CohortUsers } from "../services/cohorts/CohortUsers.ts"
import { CohortWatch } from "../services/cohorts/CohortWatch.ts"
import { Delegation } from "../services/access/Delegation.ts"
import { WebhookQueue } from "../services/operations/WebhookQueue.ts"
import { AuditTrail } from "../services/operations/AuditTrail.ts"
import { ErasedUnits } from "../services/operations/ErasedUnits.ts"
import { MarkerNames } from "../services/ingest/MarkerNames.ts"
import { Keys } from "../services/access/Keys.ts"
import { LiveFeed } from "../services/live/LiveFeed.ts"
import { Metrics } from "../services/operations/Metrics.ts"
import { Tracing } from "../services/operations/Tracing.ts"
import { MeasuresLive } from "./Measuring.ts"
import { TelemetryLive } from "./Telemetry.ts"
import { NoticeLogs } from "../services/game/NoticeLogs.ts"
import { OrganizationView } from "../services/access/OrganizationView.ts"
import { PasswordResetLinks } from "../services/access/passwords/PasswordResetLinks.ts"
import { PathLocks } from "../services/configuration/PathLocks.ts"
import { Pictures } from "../services/access/Pictures.ts"
import { Policy } from "../services/access/Policy.ts"
import { RateLimiter } from "../services/access/RateLimiter.ts"
import { References } from "../services/analytics/References.ts"
import { Removals } from "../services/operations/Removals.ts"
import { RequestLimits } from "../services/operations/RequestLimits.ts"
import { Retention } from "../services/operations/Retention.ts"
import { Rights } from "../services/access/Rights.ts"
import { SiteOrigin } from "../services/access/SiteOrigin.ts"
import { Sessions } from "../services/access/Sessions.ts"
import { OrganizationSetup } from "../services/access/OrganizationSetup.ts"
import { ServerCounts } from "../services/operations/ServerCounts.ts"
import { System } from "../services/operations/System.ts"
import { TrustedClock } from "../services/operations/TrustedClock.ts"

/** What several features share. */
export const Shared = Layer.mergeAll(
  NoticeLogs.Default.pipe(Layer.provideMerge(Changes.Default)),
  ArmCheck.Default.pipe(Layer.provideMerge(ConfigurationCheck.Default)),
  CheckedWrites.Default,
  LiveFeed.Default,
  CohortWatch.Default,
  Keys.Default,
  MarkerNames.Default,
  Metrics.Default.pipe(
    Layer.provide(MeasuresLive),
    Layer.provide(TelemetryLive),
    Layer.provide(System.Default),
    Layer.provideMerge(ServerCounts.Default)
  ),
  MetricPlans.Default,
  OrganizationView.Default,
  PasswordResetLinks.Default,
  PathLocks.Default,
  Pictures.Default,
  Policy.Default.pipe(
    Layer.provideMerge(Delegation.Default),
    Layer.provideMerge(Rights.Default),
    Layer.provideMerge(Sessions.Default)
  ),
  Retention.Default,
  RateLimiter.Default,
  Removals.Default,
  RequestLimits.Default,
  References.Default.pipe(Layer.provideMerge(CohortUsers.Default)),
  SiteOrigin.Default,
  OrganizationSetup.Default,
  TrustedClock.Default,
  UnitSights.Default.pipe(Layer.provideMerge(ErasedUnits.Default))
).pipe(
  Layer.provideMerge(Tracing.Default.pipe(Layer.provide(TelemetryLive))),
  Layer.provideMerge(AuditTrail.Default),
  Layer.provideMerge(WebhookQueue.Default),
  Layer.provideMerge(Versions.Default)
)
