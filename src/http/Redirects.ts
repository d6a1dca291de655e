import { HttpApiBuilder } from "@effect/platform"
import { Api } from "../../schema/Api.ts"
import { notImplemented } from "./NotImplemented.ts"

export const RedirectsHttp = HttpApiBuilder.group(Api, "redirects", (handlers) =>
  handlers.handle("follow", notImplemented)
)
