import { Failure } from "../Failure.ts"

export class ConfigurationNotFound extends Failure<ConfigurationNotFound>()(
  "CONFIGURATION_NOT_FOUND",
  404,
  "No configuration of the environment has the id, name or alias."
) {}
export class VersionNotFound extends Failure<VersionNotFound>()(
  "VERSION_NOT_FOUND",
  404,
  "The configuration has no version of that number."
) {}
export class ConfigurationNameTaken extends Failure<ConfigurationNameTaken>()(
  "CONFIGURATION_NAME_TAKEN",
  409,
  "Another configuration of the environment has the name or alias."
) {}
export class ConfigurationInUse extends Failure<ConfigurationInUse>()(
  "CONFIGURATION_IN_USE",
  409,
  "An experiment or a link refers to the configuration, so it cannot be deleted."
) {}
export class HashMismatch extends Failure<HashMismatch>()(
  "HASH_MISMATCH",
  409,
  "The configuration has changed since the version that the request builds on."
) {}
export class PathLocked extends Failure<PathLocked>()(
  "PATH_LOCKED",
  409,
  "A running experiment holds a path that the request changes."
) {}
export class ConfigurationInvalid extends Failure<ConfigurationInvalid>()(
  "CONFIGURATION_INVALID",
  422,
  "The document breaks its JSON Schema or a limit of size."
) {}
export class LinkInvalid extends Failure<LinkInvalid>()(
  "LINK_INVALID",
  422,
  "A link leads nowhere or in a circle, or a link of another configuration would."
) {}
