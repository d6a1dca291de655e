import { Failure } from "../Failure.ts"

export class ConfigurationNotFound extends Failure<ConfigurationNotFound>()("CONFIGURATION_NOT_FOUND", 404) {}
export class VersionNotFound extends Failure<VersionNotFound>()("VERSION_NOT_FOUND", 404) {}
export class ConfigurationNameTaken extends Failure<ConfigurationNameTaken>()("CONFIGURATION_NAME_TAKEN", 409) {}
export class ConfigurationInUse extends Failure<ConfigurationInUse>()("CONFIGURATION_IN_USE", 409) {}
export class HashMismatch extends Failure<HashMismatch>()("HASH_MISMATCH", 409) {}
export class PathLocked extends Failure<PathLocked>()("PATH_LOCKED", 409) {}
export class ConfigurationInvalid extends Failure<ConfigurationInvalid>()("CONFIGURATION_INVALID", 422) {}
export class LinkInvalid extends Failure<LinkInvalid>()("LINK_INVALID", 422) {}
