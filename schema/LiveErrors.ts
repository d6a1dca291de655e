import { Schema } from "effect"
import { failure } from "./Errors.ts"

export class ConfigurationNotFound extends Schema.Class<ConfigurationNotFound>("ConfigurationNotFound")(
  ...failure(404, "CONFIGURATION_NOT_FOUND")
) {
  readonly _tag = "ConfigurationNotFound"
}
export class VersionNotFound extends Schema.Class<VersionNotFound>("VersionNotFound")(
  ...failure(404, "VERSION_NOT_FOUND")
) {
  readonly _tag = "VersionNotFound"
}
export class ConfigurationNameTaken extends Schema.Class<ConfigurationNameTaken>("ConfigurationNameTaken")(
  ...failure(409, "CONFIGURATION_NAME_TAKEN")
) {
  readonly _tag = "ConfigurationNameTaken"
}
export class ConfigurationInUse extends Schema.Class<ConfigurationInUse>("ConfigurationInUse")(
  ...failure(409, "CONFIGURATION_IN_USE")
) {
  readonly _tag = "ConfigurationInUse"
}
export class HashMismatch extends Schema.Class<HashMismatch>("HashMismatch")(...failure(409, "HASH_MISMATCH")) {
  readonly _tag = "HashMismatch"
}
export class PathLocked extends Schema.Class<PathLocked>("PathLocked")(...failure(409, "PATH_LOCKED")) {
  readonly _tag = "PathLocked"
}
export class ConfigurationInvalid extends Schema.Class<ConfigurationInvalid>("ConfigurationInvalid")(
  ...failure(422, "CONFIGURATION_INVALID")
) {
  readonly _tag = "ConfigurationInvalid"
}
export class LinkInvalid extends Schema.Class<LinkInvalid>("LinkInvalid")(...failure(422, "LINK_INVALID")) {
  readonly _tag = "LinkInvalid"
}

export class DeeplinkNotFound extends Schema.Class<DeeplinkNotFound>("DeeplinkNotFound")(
  ...failure(404, "DEEPLINK_NOT_FOUND")
) {
  readonly _tag = "DeeplinkNotFound"
}
export class SlugTaken extends Schema.Class<SlugTaken>("SlugTaken")(...failure(409, "SLUG_TAKEN")) {
  readonly _tag = "SlugTaken"
}
export class RedirectRefused extends Schema.Class<RedirectRefused>("RedirectRefused")(
  ...failure(422, "REDIRECT_REFUSED")
) {
  readonly _tag = "RedirectRefused"
}

export class ExperimentNotFound extends Schema.Class<ExperimentNotFound>("ExperimentNotFound")(
  ...failure(404, "EXPERIMENT_NOT_FOUND")
) {
  readonly _tag = "ExperimentNotFound"
}
export class AssignmentNotFound extends Schema.Class<AssignmentNotFound>("AssignmentNotFound")(
  ...failure(404, "ASSIGNMENT_NOT_FOUND")
) {
  readonly _tag = "AssignmentNotFound"
}
export class MetricNotFound extends Schema.Class<MetricNotFound>("MetricNotFound")(
  ...failure(404, "METRIC_NOT_FOUND")
) {
  readonly _tag = "MetricNotFound"
}
export class ExperimentEnded extends Schema.Class<ExperimentEnded>("ExperimentEnded")(
  ...failure(409, "EXPERIMENT_ENDED")
) {
  readonly _tag = "ExperimentEnded"
}
export class RolloutConflict extends Schema.Class<RolloutConflict>("RolloutConflict")(
  ...failure(409, "ROLLOUT_CONFLICT")
) {
  readonly _tag = "RolloutConflict"
}
export class UnitExcluded extends Schema.Class<UnitExcluded>("UnitExcluded")(...failure(409, "UNIT_EXCLUDED")) {
  readonly _tag = "UnitExcluded"
}
export class ExperimentInvalid extends Schema.Class<ExperimentInvalid>("ExperimentInvalid")(
  ...failure(422, "EXPERIMENT_INVALID")
) {
  readonly _tag = "ExperimentInvalid"
}

export class PlayerNotFound extends Schema.Class<PlayerNotFound>("PlayerNotFound")(
  ...failure(404, "PLAYER_NOT_FOUND")
) {
  readonly _tag = "PlayerNotFound"
}
