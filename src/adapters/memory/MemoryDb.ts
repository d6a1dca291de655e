import { Context, type DateTime, Effect, Exit, FiberRef, Layer } from "effect"
import type { ApiKey } from "../../domain/access/ApiKey.ts"
import type { Browser } from "../../domain/access/Browser.ts"
import type {
  Application,
  Environment,
  Invitation,
  Membership,
  Organization
} from "../../domain/access/Organization.ts"
import type { Identity } from "../../domain/access/OpenId.ts"
import type { Grant, Role } from "../../domain/access/Role.ts"
import type { Passkey, PasskeyChallenge } from "../../domain/access/Passkey.ts"
import type { PasswordReset } from "../../domain/access/PasswordReset.ts"
import type { Authenticator } from "../../domain/access/SecondFactor.ts"
import type { SignInEvent } from "../../domain/access/SignInEvent.ts"
import type { User } from "../../domain/access/User.ts"
import type { Execution } from "../../domain/analytics/question/Execution.ts"
import type { Board } from "../../domain/analytics/board/Board.ts"
import type { SavedQuery } from "../../domain/analytics/question/SavedQuery.ts"
import type { HeatmapDefinition } from "../../domain/analytics/heatmap/HeatmapDefinition.ts"
import type { ArgumentMetadata, TypeMetadata } from "../../domain/analytics/markers/MarkerMetadata.ts"
import type { Click, ClickCount, Conversion } from "../../domain/deeplinks/Click.ts"
import type { Exposure } from "../../domain/experiments/Exposure.ts"
import type { StoredAssignment } from "../../domain/experiments/StoredAssignment.ts"
import type { Deeplink } from "../../domain/deeplinks/Deeplink.ts"
import type {
  CohortId,
  DeeplinkId,
  EnvironmentId,
  HeatmapId,
  MembershipId,
  OrganizationId,
  QueryId,
  UserId
} from "../../domain/Ids.ts"
import type { Configuration, ConfigurationVersion } from "../../domain/configuration/Configuration.ts"
import type { Cohort, CohortRun } from "../../domain/cohorts/Cohort.ts"
import type { MapImage } from "../../ports/analytics/HeatmapRepo.ts"
import type { Icon } from "../../ports/access/OrganizationRepo.ts"
import type { ContextFacts } from "../../domain/experiments/ContextFacts.ts"
import type { UnitSight } from "../../domain/experiments/UnitSight.ts"
import type { ExperimentDraft } from "../../domain/experiments/ExperimentDraft.ts"
import type { StoredExperiment } from "../../domain/experiments/StoredExperiment.ts"
import type { Audience } from "../../domain/configuration/Links.ts"
import type { NumberedNotice } from "../../domain/game/NoticeLog.ts"
import type { GameJob } from "../../domain/game/GameJob.ts"
import type { ServerState } from "../../domain/game/ServerReport.ts"
import type { AuditChain, AuditEntry } from "../../domain/operations/audit/AuditEntry.ts"
import type { Alert, Incident } from "../../domain/operations/alerts/Alert.ts"
import type { Webhook } from "../../domain/operations/webhooks/Webhook.ts"
import type { Delivery } from "../../domain/operations/webhooks/WebhookDelivery.ts"
import type { BegunChange } from "../../ports/operations/AuditRepo.ts"
import type { Erasure } from "../../domain/operations/Erasure.ts"
import { Transaction } from "../../ports/operations/Transaction.ts"

/** The rows of one table. Each write replaces the list instead of changing it, so a snapshot is simply the list. */
export class Table<Row> {
  rows: ReadonlyArray<Row> = []
  private highest = 0

  nextId(): number {
    return ++this.highest
  }

  insert(row: Row): Row {
    this.rows = [...this.rows, row]
    return row
  }

  replace(test: (row: Row) => boolean, next: Row): Row {
    this.rows = this.rows.map((row) => (test(row) ? next : row))
    return next
  }

  remove(test: (row: Row) => boolean): void {
    this.rows = this.rows.filter((row) => !test(row))
  }

  /** Returns a function that restores the present rows. */
  snapshot(): () => void {
    const { rows } = this
    return () => {
      this.rows = rows
    }
  }
}

/** Who is about something, and until when that is believed. */
export interface Claim {
  readonly claimedBy: string | null
  readonly claimedUntil: DateTime.Utc | null
}

interface Described<Metadata> {
  readonly environmentId: EnvironmentId
  readonly metadata: Metadata
}

const emptyTables = () => ({
  users: new Table<User>(),
  browsers: new Table<Browser>(),
  signIns: new Table<SignInEvent>(),
  passwordResets: new Table<PasswordReset>(),
  authenticators: new Table<Authenticator>(),
  recoveryCodes: new Table<{ readonly userId: UserId; readonly codeHash: string }>(),
  identities: new Table<Identity>(),
  passkeys: new Table<Passkey>(),
  passkeyChallenges: new Table<PasskeyChallenge>(),
  organizations: new Table<Organization>(),
  icons: new Table<Icon & { readonly organizationId: OrganizationId }>(),
  memberships: new Table<Membership>(),
  givenMemberships: new Table<MembershipId>(),
  invitations: new Table<Invitation>(),
  roles: new Table<Role>(),
  grants: new Table<Grant>(),
  applications: new Table<Application>(),
  environments: new Table<Environment>(),
  removedEnvironments: new Table<EnvironmentId>(),
  credentials: new Table<ApiKey>(),
  boards: new Table<Board>(),
  savedQueries: new Table<SavedQuery>(),
  savedQueryStars: new Table<{ readonly queryId: QueryId; readonly userId: UserId }>(),
  executions: new Table<Execution & Claim>(),
  markerTypes: new Table<Described<TypeMetadata>>(),
  markerArguments: new Table<Described<ArgumentMetadata>>(),
  cohorts: new Table<Cohort & Claim>(),
  cohortRuns: new Table<CohortRun & { readonly cohortId: CohortId }>(),
  heatmaps: new Table<HeatmapDefinition>(),
  heatmapImages: new Table<MapImage & { readonly heatmapId: HeatmapId }>(),
  experiments: new Table<StoredExperiment>(),
  experimentDrafts: new Table<ExperimentDraft>(),
  experimentGroups: new Table<never>(),
  contextProperties: new Table<ContextFacts & { readonly environmentId: EnvironmentId }>(),
  deeplinks: new Table<Deeplink>(),
  clicks: new Table<Click>(),
  clickVisitors: new Table<Pick<Click, "deeplinkId" | "visitor">>(),
  clickSlots: new Table<ClickCount & { readonly deeplinkId: DeeplinkId }>(),
  conversions: new Table<Conversion>(),
  assignments: new Table<StoredAssignment & { readonly environmentId: EnvironmentId }>(),
  unmarkedExposures: new Table<Exposure>(),
  erasedUnits: new Table<{
    readonly environmentId: EnvironmentId
    readonly fingerprint: string
    readonly erasedAt: number
  }>(),
  erasures: new Table<Erasure>(),
  auditChains: new Table<AuditChain & { readonly organizationId: OrganizationId }>(),
  auditEntries: new Table<AuditEntry>(),
  begunChanges: new Table<BegunChange>(),
  alerts: new Table<Alert>(),
  alertIncidents: new Table<Incident>(),
  webhooks: new Table<Webhook>(),
  webhookDeliveries: new Table<Delivery>(),
  notices: new Table<NumberedNotice & { readonly environmentId: EnvironmentId }>(),
  gameJobs: new Table<GameJob & { readonly environmentId: EnvironmentId; readonly audience: Audience }>(),
  unitSights: new Table<UnitSight>(),
  serverStates: new Table<ServerState & { readonly environmentId: EnvironmentId }>(),
  configurations: new Table<Configuration>(),
  configurationVersions: new Table<ConfigurationVersion>()
})

interface Access {
  /**
   * Reads or writes tables in one step. Outside a transaction it waits until the running one has ended, and so sees
   * either all of its writes or none.
   */
  readonly access: <A>(work: () => A) => Effect.Effect<A>
  readonly run: Transaction["Type"]["run"]
}

/** All tables of the memory store, and the only way to access them. */
export class MemoryDb extends Context.Tag("adapters/memory/MemoryDb")<
  MemoryDb,
  ReturnType<typeof emptyTables> & Access
>() {}

export const MemoryDbLive = Layer.effect(
  MemoryDb,
  Effect.gen(function* () {
    const tables = emptyTables()
    const permit = yield* Effect.makeSemaphore(1)
    const isInside = FiberRef.unsafeMake(false)

    const alone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.flatMap(FiberRef.get(isInside), (inside) => (inside ? effect : permit.withPermits(1)(effect)))

    const undoUnlessDone = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        const undo = Object.values(tables).map((table) => table.snapshot())
        const restore = Effect.sync(() => undo.forEach((each) => each()))
        return Effect.onExit(effect, (exit) => (Exit.isSuccess(exit) ? Effect.void : restore))
      })

    return {
      ...tables,
      access: (work) => alone(Effect.sync(work)),
      run: (effect) => alone(undoUnlessDone(Effect.locally(effect, isInside, true)))
    }
  })
)

export const TransactionMemory = Layer.effect(
  Transaction,
  Effect.map(MemoryDb, ({ run }) => ({ run, runRemoval: run }))
)
