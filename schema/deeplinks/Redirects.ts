import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Schema } from "effect"
import { RateLimited } from "../RequestErrors.ts"
import { DeeplinkNotFound } from "./DeeplinkErrors.ts"
import { text } from "../Text.ts"
import { requiresNone } from "../access/RequiredPermission.ts"
import { Traffic } from "../Traffic.ts"

const slug = HttpApiSchema.param("slug", text(1, 128))

const Redirected = Schema.Void.annotations(
  HttpApiSchema.annotations({ status: 302, description: "On to the deeplink's target, with the click's id" })
)

export class RedirectsGroup extends HttpApiGroup.make("redirects")
  .add(
    HttpApiEndpoint.get("follow")`/d/${slug}`
      .addSuccess(Redirected)
      .addError(DeeplinkNotFound)
      .addError(RateLimited)
      .annotateContext(requiresNone("Players follow links without a credential."))
      .annotate(OpenApi.Summary, "Follow a deeplink: records the click and redirects")
  )
  .annotate(Traffic, "link")
  .annotate(OpenApi.Title, "Redirects")
  .annotate(OpenApi.Description, "What players click on.") {}
