import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { DeeplinkRecord } from "../../../schema/deeplinks/Deeplinks.ts"
import { Conversions } from "../../services/deeplinks/Conversions.ts"
import { Deeplinks } from "../../services/deeplinks/Deeplinks.ts"
import { applicationWhereOf } from "../Address.ts"
import { listAnswer } from "../ListAnswer.ts"

const answer = listAnswer(DeeplinkRecord)

export const DeeplinksHttp = HttpApiBuilder.group(Api, "deeplinks", (handlers) =>
  Effect.map(Effect.all([Deeplinks, Conversions]), ([deeplinks, conversions]) =>
    handlers
      .handle("list", (request) => answer(deeplinks.list(applicationWhereOf(request))))
      .handle("create", (request) => deeplinks.create(applicationWhereOf(request), request.payload))
      .handle("get", (request) => deeplinks.get(applicationWhereOf(request), request.path.deeplinkId))
      .handle("update", (request) =>
        deeplinks.update(applicationWhereOf(request), request.path.deeplinkId, request.payload)
      )
      .handle("remove", (request) => deeplinks.remove(applicationWhereOf(request), request.path.deeplinkId))
      .handle("conversions", (request) =>
        conversions.get(applicationWhereOf(request), request.path.deeplinkId, request.urlParams)
      )
  )
)
