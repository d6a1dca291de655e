import { HttpApiBuilder } from "@effect/platform"
import { Effect } from "effect"
import { Api } from "../../../schema/Api.ts"
import { Icons, maxBytes } from "../../services/access/Icons.ts"
import { image } from "./Image.ts"
import { upload } from "./Upload.ts"

export const IconsHttp = HttpApiBuilder.group(Api, "icons", (handlers) =>
  Effect.map(Icons, (icons) =>
    handlers
      .handle("put", ({ path }) => icons.put(path.organizationId, upload(maxBytes)))
      .handle("get", ({ path, headers, urlParams }) =>
        Effect.map(icons.get(path.organizationId), (icon) =>
          image(icon, { ifNoneMatch: headers["if-none-match"], version: urlParams.v })
        )
      )
      .handle("remove", ({ path }) => icons.remove(path.organizationId))
  )
)
