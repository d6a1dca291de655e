import { Failure } from "../Failure.ts"

export class DeeplinkNotFound extends Failure<DeeplinkNotFound>()("DEEPLINK_NOT_FOUND", 404) {}
export class SlugTaken extends Failure<SlugTaken>()("SLUG_TAKEN", 409) {}
export class RedirectRefused extends Failure<RedirectRefused>()("REDIRECT_REFUSED", 422) {}
