import { Failure } from "../Failure.ts"

export class DeeplinkNotFound extends Failure<DeeplinkNotFound>()(
  "DEEPLINK_NOT_FOUND",
  404,
  "The project has no deeplink of that id, or the server none of that slug."
) {}
export class DeeplinkChanged extends Failure<DeeplinkChanged>()(
  "DEEPLINK_CHANGED",
  409,
  "Somebody has changed the deeplink since the state on which the request is based."
) {}
export class SlugTaken extends Failure<SlugTaken>()(
  "SLUG_TAKEN",
  409,
  "Another deeplink of the server has the slug."
) {}
export class DeeplinkLimitReached extends Failure<DeeplinkLimitReached>()(
  "DEEPLINK_LIMIT_REACHED",
  409,
  "The project has as many deeplinks as it may have, or their metadata is as long together as it may be."
) {}
export class RedirectRefused extends Failure<RedirectRefused>()(
  "REDIRECT_REFUSED",
  422,
  "The address is none that a deeplink may lead to."
) {}
