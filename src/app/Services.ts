import { Layer } from "effect"
import { AccountServices } from "./AccountServices.ts"
import { AssignmentImports } from "../services/experiments/AssignmentImports.ts"
import { Assignments } from "../services/experiments/Assignments.ts"
import { ContextProperties } from "../services/game/ContextProperties.ts"
import { Enrolment } from "../services/game/Enrolment.ts"
import { ExperimentCheck } from "../services/experiments/ExperimentCheck.ts"
import { ExperimentDrafts } from "../services/experiments/ExperimentDrafts.ts"
import { ExperimentMaker } from "../services/experiments/ExperimentMaker.ts"
import { ExperimentOverview } from "../services/experiments/ExperimentOverview.ts"
import { ExperimentRecords } from "../services/experiments/ExperimentRecords.ts"
import { Experiments } from "../services/experiments/Experiments.ts"
import { ExperimentWrite } from "../services/experiments/ExperimentWrite.ts"
import { Exposures } from "../services/game/Exposures.ts"
import { Rollouts } from "../services/experiments/Rollouts.ts"
import { RunningExperiments } from "../services/experiments/RunningExperiments.ts"
import { SdkExperiments } from "../services/game/SdkExperiments.ts"
import { UnitAnswers } from "../services/game/UnitAnswers.ts"
import { WrittenAnswers } from "../services/game/WrittenAnswers.ts"
import { WrittenAssignments } from "../services/game/WrittenAssignments.ts"
import { ApiKeys } from "../services/access/ApiKeys.ts"
import { Attribution } from "../services/deeplinks/Attribution.ts"
import { Clicks } from "../services/deeplinks/Clicks.ts"
import { Conversions } from "../services/deeplinks/Conversions.ts"
import { ConfigurationCopies } from "../services/configuration/ConfigurationCopies.ts"
import { ConfigurationDrafts } from "../services/configuration/ConfigurationDrafts.ts"
import { Configurations } from "../services/configuration/Configurations.ts"
import { ConfigurationVersions } from "../services/configuration/ConfigurationVersions.ts"
import { ConfigurationWrite } from "../services/configuration/ConfigurationWrite.ts"
import { CohortDefinitions } from "../services/cohorts/CohortDefinitions.ts"
import { CohortQueue } from "../services/cohorts/CohortQueue.ts"
import { CohortRuns } from "../services/cohorts/CohortRuns.ts"
import { Cohorts } from "../services/cohorts/Cohorts.ts"
import { CohortUsages } from "../services/cohorts/CohortUsages.ts"
import { CohortZones } from "../services/cohorts/CohortZones.ts"
import { CohortWrites } from "../services/cohorts/CohortWrites.ts"
import { Credentials } from "../services/access/Credentials.ts"
import { Deeplinks } from "../services/deeplinks/Deeplinks.ts"
import { Delivery } from "../services/game/Delivery.ts"
import { Erasures } from "../services/operations/Erasures.ts"
import { GameAccess } from "../services/game/GameAccess.ts"
import { GameJobs } from "../services/game/GameJobs.ts"
import { GameServers } from "../services/game/GameServers.ts"
import { Ingest } from "../services/ingest/Ingest.ts"
import { Environments } from "../services/access/Environments.ts"
import { ExecutionRuns } from "../services/analytics/ExecutionRuns.ts"
import { Evaluation } from "../services/game/Evaluation.ts"
import { Executions } from "../services/analytics/Executions.ts"
import { Grants } from "../services/access/Grants.ts"
import { Heatmaps } from "../services/analytics/Heatmaps.ts"
import { Icons } from "../services/access/Icons.ts"
import { Invitations } from "../services/access/Invitations.ts"
import { LegacyDelivery } from "../services/game/LegacyDelivery.ts"
import { MarkerExports } from "../services/analytics/MarkerExports.ts"
import { Markers } from "../services/analytics/Markers.ts"
import { Members } from "../services/access/Members.ts"
import { MemberView } from "../services/access/MemberView.ts"
import { LiveAccess } from "../services/live/LiveAccess.ts"
import { LiveStreams } from "../services/live/LiveStreams.ts"
import { Notices } from "../services/game/Notices.ts"
import { Organizations } from "../services/access/Organizations.ts"
import { PlayerAssignments } from "../services/analytics/PlayerAssignments.ts"
import { PlayerCohorts } from "../services/analytics/PlayerCohorts.ts"
import { PlayerLists } from "../services/analytics/PlayerLists.ts"
import { Players } from "../services/analytics/Players.ts"
import { Queries } from "../services/analytics/Queries.ts"
import { QueryAccess } from "../services/analytics/QueryAccess.ts"
import { QueryCache } from "../services/analytics/QueryCache.ts"
import { QueryRuns } from "../services/analytics/QueryRuns.ts"
import { QueryUsers } from "../services/analytics/QueryUsers.ts"
import { Projects } from "../services/access/Projects.ts"
import { Redirects } from "../services/deeplinks/Redirects.ts"
import { Estimates } from "../services/experiments/Estimates.ts"
import { Results } from "../services/experiments/Results.ts"
import { Roles } from "../services/access/Roles.ts"
import { PlayerConfigurations } from "../services/game/PlayerConfigurations.ts"
import { SdkCohorts } from "../services/game/SdkCohorts.ts"
import { SdkConfigurations } from "../services/game/SdkConfigurations.ts"
import { SdkHeatmaps } from "../services/game/SdkHeatmaps.ts"
import { SdkLegacy } from "../services/game/SdkLegacy.ts"
import { Boards } from "../services/analytics/Boards.ts"
import { Notes } from "../services/analytics/Notes.ts"
import { SavedQueries } from "../services/analytics/SavedQueries.ts"
import { TableFiles } from "../services/analytics/TableFiles.ts"
import { Alerting } from "./Alerting.ts"
import { WebhookAccess } from "../services/operations/WebhookAccess.ts"
import { WebhookDeliveries } from "../services/operations/WebhookDeliveries.ts"
import { WebhookLog } from "../services/operations/WebhookLog.ts"
import { WebhookMails } from "../services/operations/WebhookMails.ts"
import { Webhooks } from "../services/operations/Webhooks.ts"
import { AuditLog } from "../services/operations/AuditLog.ts"
import { Backups } from "../services/operations/Backups.ts"
import { SecondFactorDemand } from "../services/access/SecondFactorDemand.ts"
import { ServerAlerts } from "../services/operations/ServerAlerts.ts"
import { BackupRuns } from "../services/operations/BackupRuns.ts"
import { ServerOwners } from "../services/access/ServerOwners.ts"
import { System } from "../services/operations/System.ts"
import { ExperimentsForResults } from "../services/experiments/ExperimentsForResults.ts"
import { Shared } from "./SharedServices.ts"

/** Members and what they may do, which several features show. */
const Membership = Members.Default.pipe(
  Layer.provideMerge(Grants.Default),
  Layer.provideMerge(MemberView.Default),
  Layer.provideMerge(Organizations.Default)
)

/** The players behind the numbers of questions. */
const BehindNumbers = QueryUsers.Default.pipe(
  Layer.provideMerge(QueryAccess.Default),
  Layer.provide(QueryCache.Default)
)

/** Questions, kept by name and run in the background, and what happens meanwhile. */
const Analytics = Layer.mergeAll(Executions.Default, LiveStreams.Default, Alerting).pipe(
  Layer.provide(LiveAccess.Default),
  Layer.provideMerge(ExecutionRuns.Default),
  Layer.provideMerge(SavedQueries.Default),
  Layer.provideMerge(Boards.Default),
  Layer.provideMerge(Notes.Default),
  Layer.provide(QueryRuns.Default),
  Layer.provideMerge(Queries.Default),
  Layer.provideMerge(BehindNumbers),
  Layer.provideMerge(Results.Default.pipe(Layer.provide(ExperimentsForResults.Default))),
  Layer.provideMerge(Estimates.Default),
  Layer.provide(QueryCache.Default),
  Layer.provideMerge(Credentials.Default)
)

/** Markers in, and the clicks that they convert. */
const Ingesting = Ingest.Default.pipe(
  Layer.provide(GameAccess.Default),
  Layer.provide(Attribution.Default),
  Layer.provide(Clicks.Default)
)

/** Links into the game, and what came of their clicks. */
const Links = Layer.mergeAll(
  Conversions.Default.pipe(Layer.provideMerge(Deeplinks.Default)),
  Redirects.Default,
  Ingesting
).pipe(Layer.provide(Clicks.Default))

/** Remote configuration, and the one way to write it. */
const RemoteConfiguration = Layer.mergeAll(
  ConfigurationCopies.Default,
  ConfigurationDrafts.Default,
  Configurations.Default,
  ConfigurationVersions.Default
).pipe(Layer.provideMerge(ConfigurationWrite.Default))

/** Cohorts and what computes them. */
const CohortServices = CohortUsages.Default.pipe(
  Layer.provideMerge(Cohorts.Default),
  Layer.provideMerge(SdkCohorts.Default.pipe(Layer.provide(GameAccess.Default))),
  Layer.provide(CohortWrites.Default),
  Layer.provide(BehindNumbers),
  Layer.provideMerge(CohortZones.Default),
  Layer.provideMerge(CohortRuns.Default),
  Layer.provideMerge(CohortQueue.Default),
  Layer.provide(CohortDefinitions.Default)
)

/** Experiments, who is in which group, and how a person changes that. */
const ExperimentServices = Layer.mergeAll(
  AssignmentImports.Default,
  Assignments.Default,
  ExperimentOverview.Default,
  Experiments.Default,
  Rollouts.Default
).pipe(
  Layer.provideMerge(ExperimentDrafts.Default),
  Layer.provide(ExperimentMaker.Default),
  Layer.provide(ExperimentRecords.Default),
  Layer.provideMerge(ExperimentWrite.Default),
  Layer.provide(ExperimentCheck.Default),
  Layer.provide(ConfigurationWrite.Default),
  Layer.provide(RunningExperiments.Default),
  Layer.provide(ContextProperties.Default),
  Layer.provide(CohortQueue.Default)
)

/** What games read of configurations and experiments, and how they hear of changes. */
const GameSide = Layer.mergeAll(
  GameJobs.Default,
  GameServers.Default,
  PlayerConfigurations.Default,
  SdkExperiments.Default,
  SdkLegacy.Default
).pipe(
  Layer.provide(LegacyDelivery.Default),
  Layer.provideMerge(SdkConfigurations.Default),
  Layer.provideMerge(UnitAnswers.Default),
  Layer.provide(WrittenAnswers.Default),
  Layer.provide(WrittenAssignments.Default),
  Layer.provide(Delivery.Default),
  Layer.provide(Evaluation.Default),
  Layer.provide(Enrolment.Default),
  Layer.provideMerge(Exposures.Default),
  Layer.provideMerge(ContextProperties.Default),
  Layer.provide(RunningExperiments.Default),
  Layer.provideMerge(Notices.Default),
  Layer.provide(Ingesting),
  Layer.provide(GameAccess.Default),
  Layer.provide(Credentials.Default)
)

/** Every use case. */
export const Services = Layer.mergeAll(
  AccountServices,
  Analytics,
  ApiKeys.Default,
  CohortServices,
  Environments.Default,
  ExperimentServices,
  GameSide,
  Icons.Default,
  Links,
  Invitations.Default,
  Markers.Default,
  MarkerExports.Default,
  Players.Default.pipe(
    Layer.provideMerge(Erasures.Default),
    Layer.provide(PlayerAssignments.Default),
    Layer.provide(PlayerCohorts.Default),
    Layer.provide(PlayerLists.Default),
    Layer.provide(Exposures.Default),
    Layer.provide(ContextProperties.Default)
  ),
  Projects.Default.pipe(Layer.provide(CohortServices)),
  RemoteConfiguration,
  Roles.Default,
  SecondFactorDemand.Default,
  SdkHeatmaps.Default.pipe(Layer.provide(GameAccess.Default), Layer.provideMerge(Heatmaps.Default)),
  AuditLog.Default,
  Layer.merge(Backups.Default, ServerAlerts.Default.pipe(Layer.provide(System.Default))).pipe(
    Layer.provide(ServerOwners.Default),
    Layer.provideMerge(BackupRuns.Default)
  ),
  WebhookLog.Default.pipe(
    Layer.provideMerge(Layer.merge(Webhooks.Default, WebhookDeliveries.Default)),
    Layer.provide(Layer.merge(WebhookAccess.Default, WebhookMails.Default)),
    Layer.provide(ServerOwners.Default)
  ),
  System.Default,
  TableFiles.Default
).pipe(Layer.provideMerge(Membership), Layer.provideMerge(Shared))
